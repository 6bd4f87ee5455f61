import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { S3Store } from '../../../../services/platform/files/objects/s3.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { eventually } from '../../../helpers/worker.ts';

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
  const store = use(startSilentStore, { close: () => undefined });
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

  it('hold no more memory than their company has', async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const { id } = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body.data;
    const path = `/api/files?entityType=BusinessPartner&entityId=${id}&name=a.txt`;
    const attach = (bytes: number) => app.client.post(path, 'x'.repeat(bytes), { 'Content-Type': 'text/plain' });
    // 6 x 20 MiB of 128.
    const waiting = Array.from({ length: 6 }, () => attach(20 * 1024 ** 2));
    const claimed = async () => {
      const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
        db.raw<{ rows: unknown[] }>('select 1 from stored_objects'),
      );
      return rows.length;
    };
    await eventually(async () => assert.equal(await claimed(), 6));
    assertProblem(await attach(9 * 1024 ** 2), 429, 'too_many_requests');
    assert.equal((await app.client.post('/api/uom', { code: 'Z1', name: 'Z' })).status, 201);
    await store.close();
    for (const answer of await Promise.all(waiting)) assertProblem(answer, 503, 'unavailable');
    assertProblem(await attach(9 * 1024 ** 2), 503, 'unavailable');
  });
});
