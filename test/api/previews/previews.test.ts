import assert from 'node:assert/strict';
import { companyDay } from '../../helpers/clock.ts';
import { use, useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';
import { openTill } from '../trade/payments/till.ts';
import { fingerprint, mark, shown } from './written.ts';

type Body = Record<string, unknown>;

describe('previews', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const today = () => companyDay(app.clock.now);
  const group = async () => (await app.client.get('/api/partnerGroups?limit=1')).body.data[0].id as string;
  const entry = async () => {
    const { data } = (await app.client.get('/api/accounts?limit=500')).body;
    const account = (code: string) => data.find((one: Body) => one.code === code).id;
    const lines = [
      { accountId: account('629'), debit: 5 },
      { accountId: account('572'), credit: 5 },
    ];
    return { date: today(), lines };
  };
  const goods = (quantity: number, more: Body = {}) => [{ itemId: till.itemId, quantity, ...more }];

  async function made(path: string, body: object = {}): Promise<Body & { id: string; lines: Body[] }> {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }
  const draft = (quantity = 3) => made('/api/sales/invoices', { partnerId: till.customerId, lines: goods(quantity) });
  const order = () => made('/api/sales', { partnerId: till.customerId, lines: goods(2) });
  const posted = async () => {
    const { id } = await draft();
    return await made(`/api/sales/invoices/${id}/post`);
  };

  /** Acts by name: what prepares them, and the request. */
  const ACTS: Readonly<Record<string, () => Promise<[method: string, path: string, body?: object]>>> = {
    'posting a sales invoice': async () => ['POST', `/api/sales/invoices/${(await draft()).id}/post`, {}],
    'creating an order': async () => ['POST', '/api/sales', { partnerId: till.customerId, lines: goods(2) }],
    'changing a draft': async () => ['PATCH', `/api/sales/invoices/${(await draft()).id}`, { lines: goods(1) }],
    'delivering an order': async () => ['POST', `/api/sales/${(await order()).id}/deliver`, {}],
    'receiving goods': async () => [
      'POST',
      '/api/purchases/delivery-notes',
      { partnerId: till.supplierId, lines: goods(4) },
    ],
    'cancelling an invoice': async () => ['POST', `/api/sales/invoices/${(await posted()).id}/cancel`, {}],
    'rectifying an invoice': async () => [
      'POST',
      `/api/sales/invoices/${(await posted()).id}/rectify`,
      { reason: 'error' },
    ],
    'deleting a draft': async () => ['DELETE', `/api/sales/invoices/${(await draft()).id}`],
    'registering a payment': async () => {
      const { id } = await till.invoice('sales', 100);
      const links = [{ document_id: id, document_type: 'sales_invoice', amount_applied: 100 }];
      const body = { partner_id: till.customerId, amount: 100, payment_date: today(), payment_method: 'transfer' };
      return ['POST', '/api/payments/in', { ...body, linked_documents: links }];
    },
    'counting stock': async () => {
      const body = {
        warehouseId: till.warehouseId,
        date: today(),
        lines: [{ itemId: till.itemId, countedQuantity: 1000 }],
      };
      return ['POST', '/api/stock/adjustments', body];
    },
    'transferring stock': async () => {
      const { id } = await made('/api/warehouses', { name: 'Norte' });
      const places = { warehouseId: till.warehouseId, toWarehouseId: id };
      return ['POST', '/api/stock/transfers', { ...places, date: today(), lines: goods(2) }];
    },
    'returning a delivery note': async () => {
      const note = await made('/api/sales/delivery-notes', { partnerId: till.customerId, lines: goods(2) });
      return ['POST', `/api/sales/delivery-notes/${note.id}/return`, {}];
    },
    'returning a payment': async () => {
      const id = await till.paid(50, []);
      return ['POST', `/api/payments/in/${id}/return`, { date: today() }];
    },
    'entering a journal entry': async () => ['POST', '/api/journal-entries', { ...(await entry()), post: true }],
    'posting a journal entry': async () => {
      const { id } = await made('/api/journal-entries', await entry());
      return ['POST', `/api/journal-entries/${id}/post`, {}];
    },
    'closing a period': async () => {
      const { data } = (await app.client.get('/api/periods?limit=1&sort=from')).body;
      return ['PATCH', `/api/periods/${data[0].id}`, { status: 'C' }];
    },
    'creating a partner': async () => ['POST', '/api/partners', { name: 'Nuevo', groupId: await group() }],
  };

  for (const [act, prepare] of Object.entries(ACTS)) {
    it(`of ${act} shows what the act then does, and writes nothing`, async () => {
      const [method, path, body] = await prepare();
      const before = await fingerprint(app);
      const preview = await app.client.request(method, `${path}?preview=true`, body);
      assert.equal(preview.status, 200, JSON.stringify(preview.body));
      assert.equal(await fingerprint(app), before);
      assert.equal(preview.body.data.number, null);
      const { since } = await mark(app);
      const done = await app.client.request(method, path, body);
      assert.ok(done.status < 300, JSON.stringify(done.body));
      assert.deepEqual(shown(preview.body.data), await since());
    });
  }

  it('shows the document as it would be, without the number', async () => {
    const { id } = await draft();
    const { body } = await app.client.post(`/api/sales/invoices/${id}/post?preview=true`, {});
    const { document, entries, complete } = body.data;
    assert.deepEqual([document.id, document.status, document.number, document.code], [id, 'O', null, null]);
    assert.equal(complete, true);
    assert.equal(entries.length, 1);
    const { body: after } = await app.client.get(`/api/sales/invoices/${id}`);
    assert.equal(after.data.status, 'D');
  });

  it('takes no number: the next invoice has the number that it would have had', async () => {
    const first = await posted();
    await app.client.post(`/api/sales/invoices/${(await draft()).id}/post?preview=true`, {});
    assert.equal(Number((await posted()).number), Number(first.number) + 1);
  });

  it('refuses what the act would refuse', async () => {
    const { id } = await made('/api/sales/invoices', { partnerId: till.customerId, lines: goods(100_000) });
    const preview = await app.client.post(`/api/sales/invoices/${id}/post?preview=true`, {});
    assertProblem(preview, 409, 'insufficient_stock');
    assertProblem(await app.client.post('/api/partners?preview=true', { name: 1 }), 422, 'validation_failed');
  });

  it('of a transaction shows all of its operations together', async () => {
    const operations = [
      {
        id: 'draft',
        method: 'POST',
        path: '/api/sales/invoices',
        body: { partnerId: till.customerId, lines: goods(1) },
      },
      { id: 'post', method: 'POST', path: '/api/sales/invoices/{draft.data.id}/post' },
    ];
    const before = await fingerprint(app);
    const { status, body } = await app.client.post('/api/transactions?preview=true', { operations });
    assert.equal(status, 200, JSON.stringify(body));
    const { document, entries, stock_moves: moves, events } = body.data;
    assert.deepEqual(
      document.operations.map(({ id, status }: Body) => [id, status]),
      [
        ['draft', 201],
        ['post', 200],
      ],
    );
    assert.deepEqual([entries.length, moves.length], [1, 1]);
    assert.ok(events.some(({ event }: Body) => event === 'document.locked'));
    assert.equal(await fingerprint(app), before);
  });

  it('cannot be asked for by an operation of a transaction', async () => {
    const operations = [{ id: 'one', method: 'POST', path: '/api/partners?preview=true', body: { name: 'Uno' } }];
    assertProblem(await app.client.post('/api/transactions', { operations }), 422, 'validation_failed');
  });

  it('does not use up an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'previewed-once' };
    const body = { name: 'Con clave', groupId: await group() };
    assert.equal((await app.client.post('/api/partners?preview=true', body, headers)).status, 200);
    assert.equal((await app.client.post('/api/partners', body, headers)).status, 201);
  });

  it('hides entries and stock from those who may not read them', async () => {
    const [email, password] = ['previews@example.test', 'a password of a viewer'];
    await app.client.post('/api/users', { email, name: 'Sales', password, role: 'sales' });
    const sales = app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
    const { id } = await draft();
    const { status, body } = await sales.post(`/api/sales/invoices/${id}/post?preview=true`, {});
    assert.equal(status, 200, JSON.stringify(body));
    const { data } = body;
    assert.equal(data.entries, null);
    assert.equal(data.stock_moves.length, 1);
  });

  it('is refused where nothing can be previewed', async () => {
    assertProblem(await app.client.post('/api/webhooks?preview=true', {}), 400, 'invalid_parameter');
    assertProblem(await app.client.post('/api/partners?preview=maybe', { name: 'Uno' }), 400, 'invalid_parameter');
  });
});
