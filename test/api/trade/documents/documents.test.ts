import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

describe('a trade over HTTP', () => {
  let order: Answer;
  let note: Answer;
  let draft: Answer;
  let posted: Answer;

  const app = useApp();
  const trade = use(() => openTrade(app));
  before(async () => {
    const { customerId: partnerId, itemId } = trade;
    order = await app.client.post('/api/sales', {
      partnerId,
      lines: [{ itemId, quantity: 10, discountPercent: 10 }],
      reference: 'PO-77',
    });
    note = await app.client.post('/api/sales/delivery-notes', {
      partnerId,
      lines: [{ baseType: 'SO', baseId: order.body.data.id, quantity: 10 }],
    });
    draft = await app.client.post('/api/sales/invoices', {
      partnerId,
      lines: [{ baseType: 'SDN', baseId: note.body.data.id, quantity: 10 }],
    });
    posted = await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`);
  });

  it('begins with an order, which is worked out and numbered', () => {
    assert.equal(order.status, 201);
    assert.equal(order.headers.get('Location'), `/api/sales/${order.body.data.id}`);
    const { status, code, lines, taxes, subtotal, discountTotal, taxTotal, total, partner, paymentStatus } =
      order.body.data;
    assert.match(code, /^SO\d{4}-00001$/);
    assert.deepEqual(
      { status, subtotal, discountTotal, taxTotal, total, paymentStatus },
      { status: 'O', subtotal: 22.5, discountTotal: 2.5, taxTotal: 4.73, total: 27.23, paymentStatus: undefined },
    );
    assert.deepEqual(
      { id: partner.id, name: partner.name, linesAmount: lines[0].amount, taxesAmount: taxes[0].amount },
      { id: trade.customerId, name: 'Café Central', linesAmount: 22.5, taxesAmount: 4.73 },
    );
  });

  it('goes on with a note, which takes the goods and closes the order', async () => {
    assert.equal(note.status, 201);
    const stock = await app.client.get(`/api/stock?itemId=${trade.itemId}`);
    assert.deepEqual([stock.body.data[0].onHand, stock.body.data[0].reserved], [90, 0]);
    assert.equal((await app.client.get(`/api/sales/${order.body.data.id}`)).body.data.status, 'C');
  });

  it('goes on with the draft of an invoice, which closes the note and has no number yet', async () => {
    assert.deepEqual(
      [draft.status, draft.body.data.status, draft.body.data.number, draft.body.data.code],
      [201, 'D', null, null],
    );
    assert.deepEqual(
      {
        paymentStatus: draft.body.data.paymentStatus,
        outstanding: draft.body.data.outstanding,
        total: draft.body.data.total,
      },
      { paymentStatus: 'pending', outstanding: 27.23, total: 27.23 },
    );
    assert.equal((await app.client.get(`/api/sales/delivery-notes/${note.body.data.id}`)).body.data.status, 'C');
  });

  it('ends with the invoice posted, which is neither posted again nor deleted', async () => {
    assert.deepEqual([posted.status, posted.body.data.status, posted.body.data.number], [200, 'O', 1]);
    assert.equal(posted.headers.get('ETag'), `"${posted.body.data.id}-2"`);
    const again = await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`);
    assert.deepEqual([again.status, again.body.code], [409, 'invalid_transition']);
    const removed = await app.client.del(`/api/sales/invoices/${draft.body.data.id}`);
    assert.deepEqual([removed.status, removed.body.code], [409, 'invalid_transition']);
  });
});

describe('documents over HTTP', () => {
  const app = useApp();
  const trade = use(() => openTrade(app));

  const order = (changes: Record<string, unknown> = {}) =>
    app.client.post('/api/sales', {
      partnerId: trade.customerId,
      lines: [{ itemId: trade.itemId, quantity: 2 }],
      ...changes,
    });

  it('cancel, with and without a body, and with a version that is stale', async () => {
    const { body } = await order();
    const stale = await app.client.post(`/api/sales/${body.data.id}/cancel`, undefined, { 'If-Match': '"9"' });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_version']);
    const cancelled = await app.client.post(`/api/sales/${body.data.id}/cancel`, undefined, { 'If-Match': '"1"' });
    assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'X']);
    const dated = await order();
    const answer = await app.client.post(`/api/sales/${dated.body.data.id}/cancel`, { date: '2026-02-30' });
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, '/date']);
  });

  it('ask a person to confirm a cancellation, never a program, and only where the company wants it', async () => {
    const first = `/api/sales/${(await order()).body.data.id}`;
    const ui = { 'X-Client': 'ui' };
    for (const body of [undefined, {}, { confirm: false }]) {
      const asked = await app.client.post(`${first}/cancel`, body, ui);
      assert.deepEqual([asked.status, asked.body.code], [409, 'confirmation_required']);
    }
    assert.equal((await app.client.get(first)).body.data.status, 'O');
    const confirmed = await app.client.post(`${first}/cancel`, { confirm: true }, ui);
    assert.deepEqual([confirmed.status, confirmed.body.data.status], [200, 'X']);
    await app.client.put('/api/config/flags', { confirmBeforeCancel: false });
    const second = await order();
    assert.equal((await app.client.post(`/api/sales/${second.body.data.id}/cancel`, {}, ui)).status, 200);
    await app.client.put('/api/config/flags', {});
  });

  it('drafts are deleted, and gone', async () => {
    const draft = await app.client.post('/api/sales/invoices', {
      partnerId: trade.customerId,
      lines: [{ itemId: trade.itemId, quantity: 1 }],
    });
    assert.equal((await app.client.del(`/api/sales/invoices/${draft.body.data.id}`)).status, 204);
    assert.equal((await app.client.get(`/api/sales/invoices/${draft.body.data.id}`)).status, 404);
  });

  it('each type is found under its own path only', async () => {
    const { body } = await order();
    assert.equal((await app.client.get(`/api/sales/invoices/${body.data.id}`)).status, 404);
    assert.equal((await app.client.get(`/api/purchases/${body.data.id}`)).status, 404);
    assert.equal((await app.client.post(`/api/sales/delivery-notes/${body.data.id}/cancel`)).status, 404);
  });

  it('lists page, filter, sort and search', async () => {
    for (const reference of ['L-1', 'L-2', 'L-3']) await order({ reference, notes: 'list' });
    const page = await app.client.get('/api/sales?reference[contains]=L-&sort=-reference&limit=2');
    assert.equal(page.status, 200, JSON.stringify(page.body));
    assert.deepEqual(
      page.body.data.map((row: { reference: string }) => row.reference),
      ['L-3', 'L-2'],
    );
    assert.deepEqual(page.body.pagination, { total: 3, page: 1, per_page: 2, has_more: true });
    assert.equal((await app.client.get('/api/sales?q=L-1')).body.pagination.total, 1);
    assert.equal((await app.client.get(`/api/sales?partnerId=${trade.customerId}&status=O&total[gt]=1`)).status, 200);
    assert.equal((await app.client.get('/api/sales?colour=red')).status, 400);
    assert.equal((await app.client.get('/api/sales?limit=501')).status, 400);
    assert.equal((await app.client.get('/api/purchases/delivery-notes')).body.data.length, 1);
  });

  describe('bad input', () => {
    const line = (changes: Record<string, unknown>) => ({ lines: [{ itemId: trade.itemId, quantity: 1, ...changes }] });
    const cases: [string, () => Record<string, unknown>, string][] = [
      ['quantity 0', () => line({ quantity: 0 }), '/lines/0/quantity'],
      ['a negative quantity', () => line({ quantity: -1 }), '/lines/0/quantity'],
      ['a quantity as text', () => line({ quantity: '1' }), '/lines/0/quantity'],
      ['no number at all', () => line({ quantity: null }), '/lines/0/quantity'],
      ['1e30 pieces', () => line({ quantity: 1e30 }), '/lines/0/quantity'],
      ['a price of 1e30', () => line({ price: 1e30 }), '/lines/0/price'],
      ['a discount over 100', () => line({ discountPercent: 101 }), '/lines/0/discountPercent'],
      ['a day that is none', () => ({ date: '2026-02-30' }), '/date'],
      ['an instant as day', () => ({ date: '2026-02-03T10:00:00Z' }), '/date'],
      ['an unknown member', () => ({ colour: 'red' }), '/colour'],
      ['an unknown member of a line', () => line({ colour: 'red' }), '/lines/0/colour'],
      ['no lines', () => ({ lines: [] }), '/lines'],
      ['lines that are none', () => ({ lines: 'many' }), '/lines'],
      [
        '1,001 lines',
        () => ({ lines: Array.from({ length: 1001 }, () => ({ itemId: trade.itemId, quantity: 1 })) }),
        '/lines',
      ],
      ['no partner', () => ({ partnerId: undefined }), '/partnerId'],
      ['a partner that is no id', () => ({ partnerId: 'bob' }), '/partnerId'],
      ['a partner that does not exist', () => ({ partnerId: newId() }), '/partnerId'],
      ['an item that does not exist', () => line({ itemId: newId() }), '/lines/0/itemId'],
      ['a text that cannot be stored', () => ({ notes: 'a\u0000b' }), '/notes'],
      ['a reference that is too long', () => ({ reference: 'x'.repeat(201) }), '/reference'],
    ];
    for (const [name, changes, pointer] of cases) {
      it(`${name}: 422 at ${pointer}, nothing written`, async () => {
        const before = (await app.client.get('/api/sales?limit=1')).body.pagination.total;
        const answer = await order(changes());
        assert.equal(answer.status, 422, JSON.stringify(answer.body));
        assert.equal(answer.headers.get('Content-Type')?.split(';')[0], 'application/problem+json');
        assert.ok(
          answer.body.errors.some((fault: { pointer: string }) => fault.pointer === pointer),
          JSON.stringify(answer.body.errors),
        );
        assert.equal((await app.client.get('/api/sales?limit=1')).body.pagination.total, before);
      });
    }

    it('NaN is no JSON, and neither is a trailing comma', async () => {
      for (const body of ['{"lines":[{"quantity":NaN}]}', '{"lines":[],}', '{', '']) {
        const answer = await app.client.post('/api/sales', body);
        assert.ok([400, 422].includes(answer.status), `${body}: ${answer.status}`);
      }
    });
  });

  it('what belongs to another company does not exist', async () => {
    const second = await app.client.post('/api/tenants', { name: 'Otra SL', taxId: 'B64717838', country: 'ES' });
    assert.equal(second.status, 201, JSON.stringify(second.body));
    const other = app.as(app.token, second.body.data.id);
    const theirs = await openTrade(app, 5, other);
    const { body } = await order();
    assert.equal((await other.get(`/api/sales/${body.data.id}`)).status, 404);
    assert.equal((await other.post(`/api/sales/${body.data.id}/cancel`)).status, 404);
    assert.equal((await other.get('/api/sales')).body.pagination.total, 0);
    const crossed = await order({ lines: [{ itemId: theirs.itemId, quantity: 1 }] });
    assert.deepEqual([crossed.status, crossed.body.errors[0].pointer], [422, '/lines/0/itemId']);
  });

  it('the same Idempotency-Key fifty times in parallel makes one order', async () => {
    const before = (await app.client.get('/api/sales?limit=1')).body.pagination.total;
    const body = { partnerId: trade.customerId, lines: [{ itemId: trade.itemId, quantity: 1 }] };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.client.post('/api/sales', body, { 'Idempotency-Key': 'order-1' })),
    );
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
    assert.equal((await app.client.get('/api/sales?limit=1')).body.pagination.total, before + 1);
  });
});
