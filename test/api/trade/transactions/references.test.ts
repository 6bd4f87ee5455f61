import assert from 'node:assert/strict';
import { REFERENCE_LIMITS } from '../../../../api/trade/transactions/references.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

/** Lines of the document that is referred to: its answer has some thousand members. */
const LINES = 100;

describe('references of a transaction', () => {
  let customerId: string;
  let itemId: string;
  const app = useApp();
  before(async () => {
    ({ customerId, itemId } = await openTrade(app));
  });

  const run = (operations: unknown) => app.client.post('/api/transactions', { operations });
  const path = '/api/sales';
  const order = (lines = LINES, notes = 'N') => ({
    id: 'so',
    method: 'POST',
    path,
    body: { partnerId: customerId, notes, lines: Array.from({ length: lines }, () => ({ itemId, quantity: 1 })) },
  });
  const copies = (count: number, reference: string) => Array.from({ length: count }, () => ({ $ref: reference }));
  const total = async () => (await app.client.get(path)).body.pagination.total as number;

  /** Members and entries within a value, as the budget counts them. */
  function members(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    const inside = Object.values(value);
    return inside.reduce<number>((sum, entry) => sum + members(entry), inside.length);
  }

  it('are refused where they stand for too many members, before anything is validated', async () => {
    const before = await total();
    const body = { partnerId: customerId, lines: copies(900, 'so') };
    const answer = await run([order(), { id: 'x', method: 'POST', path, body }]);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.operation, 'x');
    assert.equal(answer.body.errors.length, 1, 'the first reference that is too much is the only fault');
    const [{ pointer, code }] = answer.body.errors;
    assert.equal(code, 'too_large');
    const taken = Number(/^\/lines\/(\d+)\/\$ref$/.exec(pointer)?.[1]);
    const one = members((await run([order()])).body.data.operations[0].body);
    assert.equal(taken, Math.floor(REFERENCE_LIMITS.members / one));
    assert.equal(await total(), before + 1);
  });

  it('share one budget, however they are spread over operations, members and paths', async () => {
    const spread = (id: string) => {
      return { id, method: 'PATCH', path: '/api/sales/{so.data.id}', body: { notes: { $ref: 'so.data.notes' } } };
    };
    const notes = 'n'.repeat(2000);
    const first = await run([order(1, notes), spread('a'), spread('b')]);
    assert.equal(first.status, 200, JSON.stringify(first.body).slice(0, 500));
    const wide = copies(1000, 'so.data.notes');
    const answer = await run([order(1, notes), { id: 'x', method: 'POST', path, body: { a: { b: wide }, c: wide } }]);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'too_large');
    assert.match(answer.body.errors[0].pointer, /^\/c\/\d+\/\$ref$/);
  });

  it('fill a path no further than a request may have one', async () => {
    const one = { id: 'x', method: 'GET', path: `/api/sales/${'{so.data.notes}'.repeat(100)}` };
    const answer = await run([order(1, 'n'.repeat(2000)), one]);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], ['/path', 'too_long']);
    const long = { id: 'x', method: 'POST', path, body: { partnerId: { $ref: `so.${'x'.repeat(100_000)}` } } };
    const named = await run([order(1), long]);
    assertProblem(named, 422, 'validation_failed');
    assert.ok(JSON.stringify(named.body).length < 2000, 'the reference is not repeated');
  });

  it('are copies: what validation changes in one is not changed in others', async () => {
    const found = (await app.client.get(`/api/partners/${customerId}`)).body.data;
    const read = { id: 'one', method: 'GET', path: `/api/partners/${customerId}` };
    const sent = { id: 'two', method: 'PATCH', path: `/api/partners/${customerId}`, body: { $ref: 'one.data' } };
    const answer = await run([read, sent]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(answer.body.data.operations[0].body.data, found);
  });

  it('are free where each stands for one text or number', async () => {
    const lines = Array.from({ length: 900 }, () => ({ itemId: { $ref: 'so.data.lines.0.itemId' }, quantity: 1 }));
    const many = ['a', 'b'].map((id) => ({
      id,
      method: 'POST',
      path,
      body: { partnerId: { $ref: 'so.data.partner.id' }, lines },
    }));
    const answer = await run([order(1), ...many]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 500));
  });
});
