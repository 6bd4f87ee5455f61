/** Waiting costs no connection: while a lock of a company is held, its requests leave the pool to others. */
import assert from 'node:assert/strict';
import pg from 'pg';
import type { Answer, TestClient } from '../helpers/client.ts';
import { useApp } from '../helpers/hooks.ts';
import { eventually } from '../helpers/worker.ts';
import { openTrade } from './trade/documents/trade.ts';

const REQUESTS = 40;
/** A quarter of the pool of 20. */
const SHARE = 5;
/** Sessions that wait for a lock with a connection of the API in hand. */
const WAITING = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = 'test-api' and wait_event_type = 'Lock'`;

describe('requests that wait for a lock', () => {
  let holder: pg.Client;
  let customerId: string;
  let itemId: string;
  let other: TestClient;

  const app = useApp();
  before(async () => {
    ({ customerId, itemId } = await openTrade(app));
    const { body } = await app.client.post('/api/tenants', { name: 'Otra SL', taxId: 'B20000006' });
    other = app.as(app.token, body.data.id);
    holder = new pg.Client({ connectionString: app.databaseUrl });
    await holder.connect();
  });
  after(() => holder?.end());

  const order = () => ({ partnerId: customerId, lines: [{ itemId, quantity: 1 }] });
  const operations = ['a', 'b'].map((id) => ({ id, method: 'POST', path: '/api/uom' }));
  const waiting = async () => (await holder.query(WAITING)).rows[0].count as number;

  /** Sends many requests while `hold` holds what they need. @param look is called while they wait */
  async function whileHeld(hold: string, send: (nth: number) => Promise<Answer>, look: () => Promise<void>) {
    await holder.query(`begin; ${hold}`);
    let answered = 0;
    const sent = Array.from({ length: REQUESTS }, (_, nth) => send(nth).finally(() => answered++));
    try {
      await look();
      assert.equal(answered, 0, 'does not wait for the lock');
    } finally {
      await holder.query('rollback');
    }
    return await Promise.all(sent);
  }
  /** Checks again and again, until others have been served while all wait. */
  async function assertNobodyWaits(): Promise<void> {
    for (let round = 0; round < 20; round++) {
      const [answer, count] = await Promise.all([other.get('/api/items'), waiting()]);
      assert.equal(answer.status, 200);
      assert.equal(count, 0, 'waits for a lock with a connection in hand');
    }
  }
  const advisory = (name: string) => `select pg_advisory_xact_lock(hashtextextended('${name}', 0))`;

  const cases: Record<string, { lock: (tenantId: string) => string; send: (nth: number) => Promise<Answer> }> = {
    'transactions of several operations': {
      lock: (id) => `transactions:${id}`,
      send: (nth) =>
        app.client.post('/api/transactions', {
          operations: operations.map((operation) => ({
            ...operation,
            body: { code: `${operation.id}${nth}`, name: 'U' },
          })),
        }),
    },
    'the tree of categories': {
      lock: (id) => `categories:${id}`,
      send: (nth) => app.client.post('/api/categories', { name: `Category ${nth}` }),
    },
    'accounts of people': {
      lock: () => 'email:same@example.com',
      send: () => app.client.post('/api/users', { email: 'SAME@example.com', name: 'S', role: 'sales' }),
    },
    files: {
      lock: (id) => `attachments:${id}`,
      send: (nth) =>
        app.client.post(`/api/files?entityType=BusinessPartner&entityId=${customerId}&name=${nth}.txt`, 'content', {
          'Content-Type': 'text/plain',
        }),
    },
  };

  for (const [name, { lock, send }] of Object.entries(cases)) {
    it(`hold no connection: ${name}`, async () => {
      const answers = await whileHeld(advisory(lock(app.tenantId)), send, assertNobodyWaits);
      const statuses = new Map<number, number>();
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.ok(
        [...statuses.keys()].every((status) => status < 500),
        JSON.stringify([...statuses]),
      );
      assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 0, JSON.stringify(answers[0]?.body));
    });
  }

  it('hold one connection, and their share at first, where it is a row that they wait for', async () => {
    const answers = await whileHeld(
      `select id from series where doc_type = 'SO' and tenant_id = '${app.tenantId}' for update`,
      () => app.client.post('/api/sales', order()),
      async () => {
        for (let round = 0; round < 20; round++) {
          const [answer, count] = await Promise.all([other.get('/api/items'), waiting()]);
          assert.equal(answer.status, 200);
          assert.ok(count <= SHARE, `${count} connections wait`);
        }
        let calm = 0;
        await eventually(async () => {
          calm = (await waiting()) <= 1 ? calm + 1 : 0;
          assert.ok(calm >= 10, 'more than one of them goes on waiting with a connection');
        });
      },
    );
    for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body));
  });
});
