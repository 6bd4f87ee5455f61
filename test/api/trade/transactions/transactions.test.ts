import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

describe('transactions', () => {
  let customerId: string;
  let itemId: string;
  const app = useApp();
  before(async () => {
    ({ customerId, itemId } = await openTrade(app));
  });

  const run = (operations: unknown, headers: Record<string, string> = {}) =>
    app.client.post('/api/transactions', { operations }, headers);
  const total = async (path: string) => (await app.client.get(path)).body.pagination.total as number;
  const order = { id: 'so', method: 'POST', path: '/api/sales' };
  const orderBody = () => ({ partnerId: customerId, lines: [{ itemId, quantity: 3 }] });
  const note = {
    id: 'dn',
    method: 'POST',
    path: '/api/sales/delivery-notes',
    body: { partnerId: { $ref: 'so.data.partner.id' }, lines: [{ baseId: { $ref: 'so.data.id' }, quantity: 3 }] },
  };

  it('runs operations in order, each referring to what came before', async () => {
    const { status, body } = await run([
      { ...order, body: orderBody() },
      note,
      {
        id: 'inv',
        method: 'POST',
        path: '/api/sales/invoices',
        body: { ...note.body, lines: [{ baseId: { $ref: 'dn.data.id' }, quantity: 3 }] },
      },
      { id: 'post', method: 'POST', path: '/api/sales/invoices/{inv.data.id}/post' },
      { id: 'seen', method: 'GET', path: '/api/sales/{so.data.id}' },
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    const { operations } = body.data;
    assert.deepEqual(
      operations.map((done: { id: string; status: number }) => [done.id, done.status]),
      [
        ['so', 201],
        ['dn', 201],
        ['inv', 201],
        ['post', 200],
        ['seen', 200],
      ],
    );
    assert.equal(operations[4].body.data.status, 'C');
    assert.equal(operations[3].body.data.status, 'O');
    const read = await app.client.get(`/api/sales/invoices/${operations[2].body.data.id}`);
    assert.deepEqual(read.body.data, operations[3].body.data);
  });

  it('undoes all when one is refused, and answers its problem', async () => {
    const before = [await total('/api/sales'), await total('/api/audit-logs'), await total('/api/stock/movements')];
    const answer = await run([
      { ...order, body: orderBody() },
      note,
      {
        id: 'more',
        method: 'POST',
        path: '/api/sales/delivery-notes',
        body: {
          partnerId: customerId,
          lines: [
            { itemId, quantity: 1 },
            { itemId, quantity: 9999 },
          ],
        },
      },
    ]);
    assertProblem(answer, 409, 'insufficient_stock');
    assert.equal(answer.body.operation, 'more');
    assert.equal(answer.body.errors[0].pointer, '/lines/1/quantity');
    assert.deepEqual(
      [await total('/api/sales'), await total('/api/audit-logs'), await total('/api/stock/movements')],
      before,
    );
  });

  it('enters an invoice of a supplier once, also in one go', async () => {
    const { id: partnerId } = (await app.client.get('/api/partners?name=Huerta del Sur')).body.data[0];
    const body = { partnerId, supplierReference: 'F-100', lines: [{ itemId, quantity: 1 }] };
    const path = '/api/purchases/invoices';
    const answer = await run(['one', 'two'].map((id) => ({ id, method: 'POST', path, body })));
    assertProblem(answer, 409, 'duplicate');
    assert.deepEqual([answer.body.operation, answer.body.errors[0].pointer], ['two', '/supplierReference']);
    assert.equal(await total(path), 0);
  });

  it('checks each operation as if it had come by itself', async () => {
    const cases: [object, number, string][] = [
      [
        { id: 'x', method: 'POST', path: '/api/sales', body: { partnerId: customerId, lines: [] } },
        422,
        'validation_failed',
      ],
      [{ id: 'x', method: 'POST', path: '/api/sales' }, 422, 'validation_failed'],
      [{ id: 'x', method: 'GET', path: '/api/sales/17' }, 400, 'invalid_parameter'],
      [{ id: 'x', method: 'GET', path: '/api/sales?limit=1' }, 405, 'method_not_allowed'],
      [{ id: 'x', method: 'GET', path: `/api/items/${itemId}?foo=1` }, 400, 'invalid_parameter'],
      [{ id: 'x', method: 'GET', path: '/api/nothing' }, 404, 'not_found'],
      [{ id: 'x', method: 'POST', path: '/api/auth/login', body: {} }, 404, 'not_found'],
      [{ id: 'x', method: 'POST', path: '/api/transactions', body: {} }, 404, 'not_found'],
      [{ id: 'x', method: 'POST', path: '/api/import/items', body: {} }, 404, 'not_found'],
      [{ id: 'x', method: 'PUT', path: '/api/sales', body: {} }, 405, 'method_not_allowed'],
      [{ id: 'x', method: 'PATCH', path: '/api/sales/invoices', body: {} }, 405, 'method_not_allowed'],
      [{ id: 'x', method: 'GET', path: '/api/sales/%E0%A4%A' }, 400, 'invalid_parameter'],
      [{ ...note, id: 'x' }, 422, 'validation_failed'],
      [{ id: 'x', method: 'GET', path: '/api/sales/{constructor.name}' }, 422, 'validation_failed'],
    ];
    for (const [operation, status, code] of cases) {
      const answer = await run([operation]);
      assertProblem(answer, status, code);
      assert.equal(answer.body.operation, 'x', JSON.stringify(operation));
    }
    const reference = await run([
      { ...order, body: orderBody() },
      { ...note, body: { ...note.body, partnerId: { $ref: 'so.data.__proto__' } } },
    ]);
    assert.deepEqual(reference.body.errors[0].pointer, '/partnerId/$ref');
  });

  it('refuses lists of operations that are none', async () => {
    const one = { ...order, body: orderBody() };
    const cases: [unknown, string][] = [
      [[], '/operations'],
      [[one, one], '/operations/1/id'],
      [[{ ...one, id: 'a.b' }], '/operations/0/id'],
      [[{ ...one, method: 'TRACE' }], '/operations/0/method'],
      [[{ ...one, more: 1 }], '/operations/0/more'],
      [Array.from({ length: 101 }, (_, index) => ({ ...one, id: `o${index}` })), '/operations'],
    ];
    for (const [operations, pointer] of cases) {
      const answer = await run(operations);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
  });

  it('is one effect for one Idempotency-Key, however often it is sent at once', async () => {
    const before = await total('/api/sales');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => run([{ ...order, body: orderBody() }], { 'Idempotency-Key': 'tx-1' })),
    );
    const ids = new Set(
      answers.filter(({ status }) => status === 200).map(({ body }) => body.data.operations[0].body.data.id),
    );
    assert.equal(ids.size, 1);
    assert.equal(await total('/api/sales'), before + 1);
  });
});
