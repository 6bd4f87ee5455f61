import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Context } from '../../../../db/context.ts';
import { notifyUser } from '../../../../services/messages/notifications/notify.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { connectSocket, startSibling } from '../../../helpers/sockets.ts';
import { eventually } from '../../../helpers/worker.ts';

/** Maps clients to their connections. */
const rawStream = (client: ReturnType<typeof connectSocket>) =>
  (client.socket as unknown as { _socket: Socket })._socket;

describe('slow clients of /ws/notifications', () => {
  const app = useApp();
  const api = use(() => startSibling(app, { heartbeatMs: 200 }), { close: (sibling) => sibling.stop() });
  const joined = async () => {
    const client = connectSocket(api.address, { headers: { Authorization: `Bearer ${app.token}` } });
    await client.ready;
    return client;
  };
  const context: () => Context = () => {
    return { tenantId: app.tenantId, userId: null, actor: 'test', requestId: 'test', now: NOW };
  };
  const tell = (body: string) =>
    app.database.withTenant(context(), (trx) =>
      notifyUser(trx, context(), app.userId, 'task_completed', { title: 'Told', body, es: { title: 'Told', body } }),
    );

  it('drops clients that do not answer, without delaying others', async () => {
    const [deaf, lively] = [await joined(), await joined()];
    rawStream(deaf).pause();
    // Far more than any buffer on the way can hold.
    for (let number = 0; number < 120; number++) await tell('x'.repeat(100_000));
    await lively.came(120);
    await eventually(() => assert.equal(api.sockets.size, 1));
    assert.equal(lively.socket.readyState, lively.socket.OPEN);
    rawStream(deaf).resume();
    await deaf.closed;
    assert.ok(deaf.messages.length < 120);
    lively.socket.terminate();
  });

  it('keeps idle clients that answer heartbeats', async () => {
    const client = await joined();
    for (let beats = 0; beats < 4; beats++) await once(client.socket, 'ping');
    assert.equal(client.socket.readyState, client.socket.OPEN);
    client.socket.terminate();
  });
});
