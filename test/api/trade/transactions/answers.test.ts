import assert from 'node:assert/strict';
import { MAX_ANSWERS } from '../../../../api/trade/transactions/routes.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

describe('answers of a transaction', () => {
  let customerId: string;
  let itemId: string;
  const app = useApp();
  before(async () => {
    ({ customerId, itemId } = await openTrade(app));
  });

  const run = (operations: unknown) => app.client.post('/api/transactions', { operations });
  const order = (lines: number) => ({
    partnerId: customerId,
    lines: Array.from({ length: lines }, () => ({ itemId, quantity: 1 })),
  });
  const reads = (id: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `read${at}`, method: 'GET', path: `/api/sales/${id}` }));

  it('have at most so many bytes in all, however often a short path reads a large document', async () => {
    const { body } = await app.client.post('/api/sales', order(300));
    const one = Buffer.byteLength(JSON.stringify((await run(reads(body.data.id, 1))).body.data.operations[0].body));
    const fitting = Math.floor(MAX_ANSWERS / one);
    assert.ok(fitting < 100, `the document has only ${one} bytes`);
    assert.equal((await run(reads(body.data.id, fitting))).status, 200);
    const answer = await run(reads(body.data.id, 100));
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.operation, `read${fitting}`);
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/path', 'too_large']],
    );
  });

  it('that do not fit leave nothing written', async () => {
    const total = async () => (await app.client.get('/api/sales')).body.pagination.total as number;
    const before = await total();
    const written = { id: 'so', method: 'POST', path: '/api/sales', body: order(300) };
    const answer = await run([written, ...reads('{so.data.id}', 99)]);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(await total(), before);
  });
});
