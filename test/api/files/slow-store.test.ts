import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { S3Store } from '../../../services/objects/s3.ts';
import { use, useApp } from '../../helpers/hooks.ts';

/** A store of objects that takes requests and never answers. */
async function startSilentStore() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined).resume());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

describe('attachments while the store does not answer', () => {
  const store = use(startSilentStore, { close: (silent) => silent.close() });
  const app = useApp(() => {
    const account = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'files' };
    return { env: { ...account, S3_ENDPOINT: store.address } };
  });

  it('are given up in time', async () => {
    const { store: config } = app.deps.config.attachments;
    assert.ok(config);
    const impatient = new S3Store(config, 100);
    await assert.rejects(impatient.put('key', Buffer.from('x'), createHash('sha256').update('x').digest('hex')), {
      code: 'unavailable',
    });
    await assert.rejects(impatient.get('key'), { code: 'unavailable' });
  });
});
