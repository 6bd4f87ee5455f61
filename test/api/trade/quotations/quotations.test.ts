/** Quotations over HTTP: sent, answered, ordered, revised, and seen by a link. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade, type Trade } from '../documents/trade.ts';

const PATH = '/api/sales/quotations';

interface Quotation extends Record<string, unknown> {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly lines: readonly { readonly id: string }[];
}

describe('quotations', () => {
  const app = useApp({ clock: { now: new Date('2026-03-15T10:00:00Z') } });
  const trade: Trade = use(() => openTrade(app, 100));
  const quote = async (members: object = {}): Promise<Quotation> => {
    const lines = [{ itemId: trade.itemId, quantity: 10, price: 2 }];
    const { status, body } = await app.client.post(PATH, { partnerId: trade.customerId, lines, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  };
  const act = async (id: string, action: string, body?: object): Promise<Quotation> => {
    const answer = await app.client.post(`${PATH}/${id}/${action}`, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const reserved = async () =>
    (await app.client.get(`/api/stock?itemId=${trade.itemId}`)).body.data[0].reserved as number;

  it('are drafts without a number, promise nothing, and are numbered when they are sent', async () => {
    const made = await quote({ validUntil: '2026-03-31' });
    assert.deepEqual(
      [made.status, made.code, made.revision, made.validUntil, made.total, await reserved()],
      ['D', null, 1, '2026-03-31', 24.2, 0],
    );
    const sent = await act(made.id, 'issue');
    // The last day is over at midnight in Madrid.
    assert.deepEqual(
      [sent.status, sent.code, sent.expiresAt, await reserved()],
      ['O', 'SQ2026-00001', '2026-03-31T22:00:00.000Z', 0],
    );
    const refused = await app.client.patch(`${PATH}/${made.id}`, { notes: 'Cheaper' });
    assertProblem(refused, 409, 'invalid_transition');
    assert.equal((await app.client.get(`${PATH}?status=O`)).body.data[0].id, made.id);
    assert.equal((await app.client.get(`/api/search?q=SQ2026-00001`)).body.data[0].id, made.id);
  });

  it('are accepted with a name, ordered at their prices, and closed by the last order', async () => {
    const { id } = await quote();
    await act(id, 'issue');
    const accepted = await act(id, 'accept', { name: 'Ana Ruiz', note: 'Please soon' });
    assert.deepEqual(
      [accepted.status, accepted.decidedBy, accepted.decisionNote, accepted.decidedAt],
      ['A', 'Ana Ruiz', 'Please soon', '2026-03-15T10:00:00.000Z'],
    );
    await app.client.patch(`/api/items/${trade.itemId}`, { salePrice: 9 });
    const part = await app.client.post(`${PATH}/${id}/order`, {
      lines: [{ baseLineId: accepted.lines[0]?.id, quantity: 4 }],
    });
    assert.equal(part.status, 201, JSON.stringify(part.body));
    assert.deepEqual([part.body.data.subtotal, part.body.data.lines[0].baseType], [8, 'SQ']);
    const after = (await app.client.get(`${PATH}/${id}`)).body.data;
    assert.deepEqual([after.status, after.lines[0].deliveredQuantity, after.lines[0].openQuantity], ['P', 4, 6]);
    const rest = await app.client.post(`${PATH}/${id}/order`);
    assert.equal(rest.body.data.subtotal, 12);
    assert.equal((await app.client.get(`${PATH}/${id}`)).body.data.status, 'C');
    assertProblem(await app.client.post(`${PATH}/${id}/order`), 409, 'nothing_open');
    // An order that is cancelled gives back what it took.
    await app.client.post(`/api/sales/${rest.body.data.id}/cancel`);
    await app.client.post(`/api/sales/${part.body.data.id}/cancel`);
    assert.equal((await app.client.get(`${PATH}/${id}`)).body.data.status, 'A');
    const flow = (await app.client.get(`${PATH}/${id}/flow`)).body.data;
    assert.deepEqual([...new Set(flow.links.map(({ relation }: { relation: string }) => relation))], ['orders']);
  });

  it('are ordered once, also by two people at the same time', async () => {
    const { id } = await quote();
    await act(id, 'issue');
    const both = await Promise.all([app.client.post(`${PATH}/${id}/order`), app.client.post(`${PATH}/${id}/order`)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  });

  it('give more of an order, or less, what a change of the order takes', async () => {
    const { id } = await quote();
    await act(id, 'issue');
    const { body } = await app.client.post(`${PATH}/${id}/order`);
    const line = body.data.lines[0];
    const less = await app.client.patch(`/api/sales/${body.data.id}`, { lines: [{ id: line.id, quantity: 3 }] });
    assert.equal(less.status, 200, JSON.stringify(less.body));
    const quotation = (await app.client.get(`${PATH}/${id}`)).body.data;
    assert.deepEqual([quotation.status, quotation.lines[0].openQuantity], ['P', 7]);
    const more = await app.client.patch(`/api/sales/${body.data.id}`, { lines: [{ id: line.id, quantity: 11 }] });
    assertProblem(more, 409, 'over_ordering');
  });

  it('are invoiced without an order', async () => {
    const { id } = await quote();
    await act(id, 'issue');
    const { status, body } = await app.client.post(`${PATH}/${id}/invoice`);
    assert.deepEqual([status, body.data.status, body.data.total], [201, 'D', 24.2]);
    const posted = await app.client.post(`/api/sales/invoices/${body.data.id}/post`);
    assert.equal(posted.body.data.status, 'O');
    const { data } = (await app.client.get(`${PATH}/${id}`)).body;
    assert.deepEqual([data.status, data.lines[0].invoicedQuantity], ['C', 10]);
  });

  it('are revised: the number stays, the version that was sent is kept', async () => {
    const { id } = await quote({ notes: 'First' });
    const { code } = await act(id, 'issue');
    await act(id, 'reject', { note: 'Too dear' });
    const again = await act(id, 'revise');
    assert.deepEqual([again.status, again.code, again.revision, again.decidedAt], ['D', code, 2, null]);
    assertProblem(await app.client.del(`${PATH}/${id}`), 409, 'invalid_transition');
    const lines = [{ itemId: trade.itemId, quantity: 10, price: 1 }];
    const changed = await app.client.patch(`${PATH}/${id}`, { lines, notes: 'Second' });
    assert.deepEqual([changed.status, changed.body.data.subtotal], [200, 10]);
    assert.deepEqual([(await act(id, 'issue')).code, (await act(id, 'accept')).status], [code, 'A']);
    const { data: earlier } = (await app.client.get(`${PATH}/${id}/revisions`)).body;
    assert.deepEqual(
      earlier.map((one: Quotation) => [one.revision, one.status, one.notes, one.subtotal, one.decisionNote]),
      [[1, 'R', 'First', 20, 'Too dear']],
    );
    const kept = await quote();
    assert.equal((await app.client.del(`${PATH}/${kept.id}`)).status, 204);
  });

  it('are refused what does not fit', async () => {
    const bad = { partnerId: trade.customerId, lines: [{ itemId: trade.itemId, quantity: 1 }] };
    for (const [members, pointer, code] of [
      [{ validUntil: '2026-03-14' }, '/validUntil', 'out_of_range'],
      [{ lines: [] }, '/lines', 'too_few'],
      [{ rectifies: trade.customerId }, '/rectifies', 'unknown_field'],
    ] as const) {
      const { status, body } = await app.client.post(PATH, { ...bad, ...members });
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, pointer, code]);
    }
    const { status, body } = await app.client.post('/api/sales', { ...bad, validUntil: '2026-03-31' });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/validUntil']);
    const { id } = await quote();
    assertProblem(await app.client.post(`${PATH}/${id}/order`), 409, 'invalid_transition');
    const draft = await app.client.post('/api/sales', {
      partnerId: trade.customerId,
      lines: [{ baseId: id, itemId: trade.itemId, quantity: 1 }],
    });
    assertProblem(draft, 409, 'over_ordering');
    const paid = await app.client.post('/api/payments/in', {
      ...{ partner_id: trade.customerId, amount: 1, payment_date: '2026-03-15', payment_method: 'cash' },
      linked_documents: [{ document_type: 'sales_quotation', document_id: id }],
    });
    assert.equal(paid.status, 422);
  });

  it('let a period be closed, and are of those who sell', async () => {
    const { periodId } = await quote();
    const closed = await app.client.patch(`/api/periods/${periodId}`, { status: 'C' });
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    await app.client.patch(`/api/periods/${periodId}`, { status: 'O' });
    const { client: purchasing } = await addMember(app, 'purchasing');
    assertProblem(await purchasing.get(PATH), 403, 'forbidden');
  });

  it('of purchases are requests, which are ordered from the supplier', async () => {
    const lines = [{ itemId: trade.itemId, quantity: 5 }];
    const { body } = await app.client.post('/api/purchases/requests', { partnerId: trade.supplierId, lines });
    const { id } = body.data;
    assert.equal((await app.client.post(`/api/purchases/requests/${id}/issue`)).body.data.code, 'PR2026-00001');
    const { body: order } = await app.client.post(`/api/purchases/requests/${id}/order`);
    assert.deepEqual([order.data.docType, order.data.lines[0].price, order.data.lines[0].baseType], ['PO', 1.2, 'PR']);
  });
});
