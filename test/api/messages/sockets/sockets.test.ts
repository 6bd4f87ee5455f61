import assert from 'node:assert/strict';
import jsonwebtoken from 'jsonwebtoken';
import type { Context } from '../../../../db/context.ts';
import { newId } from '../../../../db/ids.ts';
import { notifyUser, notifyUsers } from '../../../../services/messages/notifications/notify.ts';
import { endTask, reportProgress } from '../../../../services/platform/tasks/report.ts';
import { startTask } from '../../../../services/platform/tasks/tasks.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import {
  type Connecting,
  connectSocket,
  refusedWith,
  type SocketClient,
  startSibling,
} from '../../../helpers/sockets.ts';

describe('/ws/notifications', () => {
  const app = useApp({ env: { CORS_ORIGINS: 'https://shop.example' } });
  const other = use(() => startSibling(app, { heartbeatMs: 600_000 }), { close: (sibling) => sibling.stop() });

  const opened: SocketClient[] = [];
  afterEach(() => {
    for (const { socket } of opened.splice(0)) socket.terminate();
  });
  const connect = (connecting: Connecting, address = app.address) => {
    const client = connectSocket(address, connecting);
    opened.push(client);
    return client;
  };
  const bearer = (token = app.token): Connecting => ({ headers: { Authorization: `Bearer ${token}` } });
  const joined = async (connecting: Connecting = bearer(), address = app.address) => {
    const client = connect(connecting, address);
    await client.ready;
    return client;
  };
  const context = (userId: string | null = null, actor: string | null = null): Context => {
    return { tenantId: app.tenantId, userId, actor, requestId: 'test', now: NOW };
  };
  const tell = (title: string, userId = app.userId) =>
    app.database.withTenant(context(), (trx) =>
      notifyUser(trx, context(), userId, 'task_completed', { title, body: 'Ready', es: { title, body: 'Ready' } }),
    );
  const titles = (client: SocketClient) => client.messages.map(({ data }) => data.title);
  let members = 0;
  async function member(): Promise<{ id: string; membershipId: string; token: string; client: TestClient }> {
    members += 1;
    const [email, password] = [`member${members}@example.test`, 'a password of the members'];
    const { body } = await app.client.post('/api/users', { email, name: 'M', password, role: 'viewer' });
    const { token } = (await app.anonymous.post('/api/auth/login', { email, password })).body;
    const found = await app.client.get(`/api/memberships?userId=${body.data.id}`);
    return { id: body.data.id, membershipId: found.body.data[0].id, token, client: app.as(token) };
  }

  describe('accepting connections', () => {
    it('accepts a token by header, subprotocol or first message, and sends what arrives', async () => {
      const byHeader = await joined();
      const byProtocol = await joined({ protocols: ['bearer', app.token] });
      assert.equal(byProtocol.socket.protocol, 'bearer');
      const byMessage = connect({});
      byMessage.socket.once('open', () => {
        byMessage.socket.send(JSON.stringify({ type: 'auth', token: app.token, tenant_id: app.tenantId }));
      });
      await byMessage.ready;
      const unread = (await app.client.get('/api/notifications/unread-count')).body.unread_count;
      await tell('For all three');
      for (const client of [byHeader, byProtocol, byMessage]) {
        const [message] = await client.came(1);
        assert.equal(message?.unread_count, unread + 1);
        assert.deepEqual(message?.data, (await app.client.get(`/api/notifications/${message?.data.id}`)).body.data);
      }
    });

    it('accepts programs, which receive the progress of their tasks', async () => {
      const key = (await app.client.post('/api/api-keys', { name: 'Shop', role: 'viewer' })).body.data;
      const machine = await joined(bearer(key.key));
      const ctx = context(null, `api_key:${key.id}`);
      const work = { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' } as const;
      const { id } = await app.database.withTenant(ctx, (trx) => startTask(trx, ctx, work));
      await app.database.withTenant(ctx, (trx) => endTask(trx, ctx, id, { message: 'Done' }));
      const [message] = await machine.came(1);
      assert.deepEqual([message?.type, message?.data.id, message?.data.status], ['task', id, 'completed']);
    });
  });

  describe('refusing connections', () => {
    const forged = () => {
      const claims = jsonwebtoken.decode(app.token) as Record<string, unknown>;
      return jsonwebtoken.sign(claims, 'another key of thirty-two characters or more');
    };
    const expired = () => {
      const { exp: _, ...claims } = jsonwebtoken.decode(app.token) as Record<string, unknown>;
      const [iat, secret] = [NOW.getTime() / 1000 - 2000, app.deps.config.auth.jwtSecret as string];
      return jsonwebtoken.sign({ ...claims, iat, exp: iat + 900 }, secret);
    };

    it('refuses forged, expired and missing tokens, and other companies', async () => {
      assert.equal(await connect(bearer(forged())).closed, 4401);
      assert.equal(await connect(bearer(expired())).closed, 4401);
      assert.equal(await connect({ protocols: ['bearer', forged()] }).closed, 4401);
      assert.equal(await connect(bearer('bms_nonsense')).closed, 4401);
      const elsewhere = { headers: { Authorization: `Bearer ${app.token}`, 'x-tenant-id': newId() } };
      assert.equal(await connect(elsewhere).closed, 4403);
      assert.equal(await connect({ ...bearer(), path: `?tenant_id=${newId()}` }).closed, 4403);
    });

    it('refuses first messages without a token', async () => {
      for (const message of ['', 'null', '{"type":"auth"}', '{"type":"subscribe","token":"x"}', '[1]']) {
        const client = connect({});
        client.socket.once('open', () => client.socket.send(message));
        assert.equal(await client.closed, 4401, message);
      }
    });

    it('closes connections of clients that do not authenticate in time', async function () {
      this.timeout(15_000);
      const byHeader = await joined();
      const byMessage = connect({});
      byMessage.socket.once('open', () => byMessage.socket.send(JSON.stringify({ type: 'auth', token: app.token })));
      await byMessage.ready;
      assert.equal(await connect({}).closed, 4408);
      // Those who came before it, and authenticated, stay.
      for (const { socket } of [byHeader, byMessage]) assert.equal(socket.readyState, socket.OPEN);
    });

    it('refuses tokens in the address, other paths, foreign pages and bad ids before opening a connection', async () => {
      const withoutHeader = (path: string) => refusedWith(connect({ path }));
      assert.equal(await withoutHeader(`?token=${app.token}`), 400);
      assert.equal(await withoutHeader('?access_token=x'), 400);
      assert.equal(await withoutHeader('?last_id=17'), 400);
      assert.equal(await withoutHeader('/others'), 404);
      const from = (origin: string) => connect({ headers: { Authorization: `Bearer ${app.token}`, Origin: origin } });
      assert.equal(await refusedWith(from('https://evil.example')), 403);
      await from('https://shop.example').ready;
      await from(app.address).ready;
    });
  });

  describe('resuming', () => {
    it("resumes after the client's last notification, without gaps or repetitions", async () => {
      await tell('Before');
      const first = await joined();
      await tell('Seen');
      const [seen] = await first.came(1);
      first.socket.terminate();
      for (let number = 1; number <= 120; number++) await tell(`Missed ${number}`);
      const again = await joined({ ...bearer(), path: `?last_id=${seen?.data.id}` });
      await again.came(120);
      await tell('After');
      await again.came(121);
      const expected = [...Array.from({ length: 120 }, (_, index) => `Missed ${index + 1}`), 'After'];
      assert.deepEqual(titles(again), expected);
    });

    it('resumes even if that notification was deleted', async () => {
      await tell('Deleted');
      const [{ id }] = (await app.client.get('/api/notifications?limit=1')).body.data;
      await tell('Kept');
      await app.client.del(`/api/notifications/${id}`);
      const client = await joined({ ...bearer(), path: `?last_id=${id}` });
      await client.came(1);
      assert.deepEqual(titles(client), ['Kept']);
    });
  });

  describe('separation', () => {
    it('separates people and companies, on all processes', async () => {
      const vera = await member();
      const owner = await joined(bearer(), other.address);
      const veras = [await joined(bearer(vera.token)), await joined(bearer(vera.token), other.address)];
      await tell('For Vera', vera.id);
      await tell('For the owner');
      await owner.came(1);
      for (const client of veras) await client.came(1);
      assert.deepEqual([owner, ...veras].map(titles), [['For the owner'], ['For Vera'], ['For Vera']]);
    });

    it('sends to each person what several are told at once', async () => {
      const [vera, nora] = [await member(), await member()];
      const clients = [await joined(bearer(vera.token)), await joined(bearer(nora.token), other.address)];
      const text = { title: 'For both', body: 'Ready' };
      await app.database.withTenant(context(), (trx) =>
        notifyUsers(trx, context(), [vera.id, nora.id], 'task_completed', { ...text, es: text }),
      );
      for (const client of clients) await client.came(1);
      assert.deepEqual(clients.map(titles), [['For both'], ['For both']]);
    });

    it('sends the progress of a task at most twice a second, to its starter only', async () => {
      const vera = await member();
      const hers = await joined(bearer(vera.token), other.address);
      const owners = [await joined(), await joined(bearer(), other.address)];
      const ctx = context(vera.id);
      const work = { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' } as const;
      const { id } = await app.database.withTenant(ctx, (trx) => startTask(trx, ctx, work));
      for (let progress = 1; progress <= 40; progress++) {
        await app.database.withTenant(ctx, (trx) => reportProgress(trx, ctx, id, { progress, message: 'On it' }));
      }
      const [message] = await hers.came(1);
      assert.deepEqual([message?.type, message?.data.id, message?.data.message], ['task', id, 'On it']);
      await app.database.withTenant(ctx, (trx) => endTask(trx, ctx, id, { message: 'Done' }));
      const completed = () => hers.messages.find(({ data }) => data.status === 'completed');
      while (completed() === undefined) await hers.came(hers.messages.length + 1);
      assert.deepEqual(completed()?.data, (await vera.client.get(`/api/tasks/${id}`)).body.data);
      // Forty reports and the end took far less than five seconds.
      assert.ok(hers.messages.length < 10, `${hers.messages.length} messages`);
      for (const { messages } of owners) assert.deepEqual(messages, []);
    });

    it('reports a cancelled task to its starter', async () => {
      const vera = await member();
      const hers = await joined(bearer(vera.token), other.address);
      const ctx = context(vera.id);
      const work = { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' } as const;
      const { id } = await app.database.withTenant(ctx, (trx) => startTask(trx, ctx, work));
      assert.equal((await vera.client.del(`/api/tasks/${id}`)).status, 204);
      await hers.came(1);
      assert.deepEqual(hers.messages, [{ type: 'task_removed', data: { id } }]);
    });
  });

  describe('closing connections', () => {
    it('closes the connections of a session on every process when it logs out, and no others', async () => {
      const vera = await member();
      const clients = [await joined(bearer(vera.token)), await joined(bearer(vera.token), other.address)];
      const owner = await joined();
      assert.equal((await vera.client.post('/api/auth/logout', {})).status, 204);
      assert.deepEqual(await Promise.all(clients.map(({ closed }) => closed)), [4401, 4401]);
      assert.equal(owner.socket.readyState, owner.socket.OPEN);
    });

    it('closes connections when a membership is locked or ends', async () => {
      for (const end of [
        (id: string) => app.client.patch(`/api/memberships/${id}`, { active: false }),
        (id: string) => app.client.del(`/api/memberships/${id}`),
      ]) {
        const vera = await member();
        const client = await joined(bearer(vera.token), other.address);
        assert.ok((await end(vera.membershipId)).status < 300);
        assert.equal(await client.closed, 4403);
      }
    });

    it('closes connections when an API key is deleted', async () => {
      const key = (await app.client.post('/api/api-keys', { name: 'Gone', role: 'viewer' })).body.data;
      const machine = await joined(bearer(key.key), other.address);
      await app.client.del(`/api/api-keys/${key.id}`);
      assert.equal(await machine.closed, 4401);
    });

    it('closes connections that send too many, too long or binary messages', async () => {
      const flood = await joined();
      for (let number = 0; number < 100; number++) flood.socket.send('{}');
      assert.equal(await flood.closed, 1008);
      const pings = await joined();
      for (let number = 0; number < 100; number++) pings.socket.ping();
      assert.equal(await pings.closed, 1008);
      const pongs = await joined();
      for (let number = 0; number < 100; number++) pongs.socket.pong();
      assert.equal(await pongs.closed, 1008);
      const long = await joined();
      long.socket.send('x'.repeat(20_000));
      assert.equal(await long.closed, 1009);
      const bytes = await joined();
      bytes.socket.send(Buffer.from([1]));
      assert.equal(await bytes.closed, 1003);
    });

    it('closes the connections of one person beyond twenty', async () => {
      const vera = await member();
      for (let number = 0; number < 20; number++) await joined(bearer(vera.token));
      assert.equal(await connect(bearer(vera.token)).closed, 1013);
      await joined();
    });

    it('refuses a person who connects too often between two heartbeats', async function () {
      this.timeout(60_000);
      const rosa = await member();
      for (let number = 0; number < 100; number++) {
        const client = await joined(bearer(rosa.token), other.address);
        client.socket.terminate();
        await client.closed;
      }
      assert.equal(await connect(bearer(rosa.token), other.address).closed, 1013);
      await joined(bearer(), other.address);
    });
  });
});
