import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from '../../trade/documents/trade.ts';

describe('/api/events', function () {
  this.timeout(30_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 0));
  let start: string;

  const poll = async (query: string, client = app.client) => {
    const { status, body } = await client.get(`/api/events?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { data: { event: string; data: { code?: string } }[]; cursor: string; has_more: boolean };
  };
  const order = () => {
    const lines = [{ itemId: trade.itemId, quantity: 1 }];
    return app.client.post('/api/sales', { partnerId: trade.customerId, lines });
  };
  before(async () => {
    start = (await poll('after=now')).cursor;
    for (let count = 0; count < 3; count++) assert.equal((await order()).status, 201);
  });

  it('lists what webhooks tell, in order, and goes on behind the cursor', async () => {
    const first = await poll(`after=${start}&events=document.*&limit=2`);
    assert.deepEqual(
      first.data.map(({ event }) => event),
      ['document.created', 'document.created'],
    );
    assert.equal(first.has_more, true);
    const second = await poll(`after=${first.cursor}&events=document.*`);
    assert.equal(second.data.length, 1);
    assert.equal(second.has_more, false);
    assert.deepEqual((await poll(`after=${second.cursor}&events=document.*`)).data, []);
    await order();
    assert.equal((await poll(`after=${second.cursor}&events=document.*`)).data.length, 1);
  });

  it('has all that are kept without a cursor', async () => {
    assert.ok((await poll('events=*')).data.length > 3);
  });

  it('leaves out what a key may not read, and refuses it by name', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'Shop', role: 'admin' });
    assert.ok((await poll('', app.as(body.data.key))).data.length > 0);
    const viewer = await app.client.post('/api/api-keys', { name: 'Viewer', role: 'viewer' });
    assert.equal((await app.as(viewer.body.data.key).get('/api/events')).status, 403);
  });

  it('refuses unknown events, cursors and pages, and says which', async () => {
    for (const [query, name] of [
      ['events=document.locked,invoice.paid', 'events'],
      ['events=payment.registered', 'events'],
      ['after=yesterday', 'after'],
      ['limit=501', 'limit'],
      ['limit=0', 'limit'],
    ] as const) {
      const { status, body } = await app.client.get(`/api/events?${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.code, 'invalid_parameter');
      assert.match(body.detail, new RegExp(`^${name}`), query);
    }
  });
});
