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

  it('fit for a sale of the most lines, from its order to its posted invoice, and leave room for more members', async () => {
    const lines = (type: string, base: string) =>
      Array.from({ length: 1000 }, (_, at) => ({
        baseType: type,
        baseId: { $ref: `${base}.data.id` },
        baseLineId: { $ref: `${base}.data.lines.${at}.id` },
        quantity: 1,
      }));
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    const based = (id: string, path: string, type: string, base: string) => ({
      ...{ id, method: 'POST', path, body: { partnerId: customerId, lines: lines(type, base) } },
    });
    const { status, body } = await run([
      { id: 'so', method: 'POST', path: '/api/sales', body: order(1000) },
      based('dn', '/api/sales/delivery-notes', 'SO', 'so'),
      based('inv', '/api/sales/invoices', 'SDN', 'dn'),
      { id: 'posted', method: 'POST', path: '/api/sales/invoices/{inv.data.id}/post' },
    ]);
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.ok(Buffer.byteLength(JSON.stringify(body)) < MAX_ANSWERS * 0.7);
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
