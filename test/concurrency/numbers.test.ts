import assert from 'node:assert/strict';
import { assertSound } from '../helpers/hooks.ts';
import { atOnce, type Doc, tally, useMarket } from './market.ts';

const INVOICES = '/api/sales/invoices';
const TIMES = 64;

describe('legal numbers under parallel requests', () => {
  const market = useMarket();
  afterEach(() => assertSound(market.app.databaseUrl));

  const draft = () =>
    market.make(INVOICES, {
      partnerId: market.customerId,
      lines: [{ description: 'Porte', quantity: 1, price: 10, taxGroupId: market.taxGroupId }],
    });
  const read = (id: string) => market.read(`${INVOICES}/${id}`);

  it('64 posts on one series, one in five undone after it took its number: gapless and unique', async () => {
    const drafts = await atOnce(TIMES, draft);
    const undone = (index: number) => index % 5 === 4;
    const answers = await atOnce(TIMES, async (index) => {
      const path = `${INVOICES}/${drafts[index]?.id}/post`;
      if (!undone(index)) return await market.app.client.post(path);
      // Undone by what follows in the same transaction, or refused since the client saw another version.
      if (index % 2 === 0) return await market.app.client.post(path, undefined, { 'If-Match': '"7"' });
      const operations = [
        { id: 'first', method: 'POST', path },
        { id: 'again', method: 'POST', path },
      ];
      return await market.app.client.post('/api/transactions', { operations });
    });
    assert.deepEqual(tally(answers), { '200': 52, '409 invalid_transition': 6, '412 stale_version': 6 });
    const posted = answers.filter(({ status }) => status === 200).map(({ body }) => body.data as Doc);
    assert.deepEqual(
      posted.map(({ number }) => number as number).sort((one, other) => one - other),
      Array.from({ length: posted.length }, (_, index) => index + 1),
    );
    assert.equal(new Set(posted.map(({ code }) => code)).size, posted.length);
    for (const { id, number, code } of posted) {
      const { number: kept, code: keptCode } = await read(id);
      assert.deepEqual([kept, keptCode], [number, code]);
    }
    const left = await Promise.all(drafts.filter((_, index) => undone(index)).map(({ id }) => read(id)));
    for (const { status, number, version } of left)
      assert.deepEqual({ status, number, version }, { status: 'D', number: null, version: 1 });
    // What was rolled back left no event either.
    const { body } = await market.app.client.get('/api/audit-logs?action=UPDATE&limit=1');
    assert.equal(body.pagination.total, posted.length);
  });

  it('the same draft posted 20 times at once takes one number', async () => {
    const { id } = await draft();
    const answers = await atOnce(20, () => market.app.client.post(`${INVOICES}/${id}/post`));
    assert.deepEqual(tally(answers), { '200': 1, '409 invalid_transition': 19 });
    assert.equal((await read(id)).version, 2);
  });

  it('posting, cancelling and deleting the same draft at once: one of them succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await draft();
      const path = `${INVOICES}/${id}`;
      const [post, cancel, remove] = await Promise.all([
        market.app.client.post(`${path}/post`),
        market.app.client.post(`${path}/cancel`),
        market.app.client.del(path),
      ]);
      const statuses = [post.status, cancel.status, remove.status];
      // A posted invoice can still be cancelled; nothing else follows one of the three.
      const possible = [
        [200, 200, 409],
        [200, 409, 409],
        [409, 200, 409],
        [404, 404, 204],
      ];
      assert.ok(
        possible.some((one) => one.join() === statuses.join()),
        statuses.join(),
      );
    }
  });

  it('orders take numbers at once without gaps, even when some are refused', async () => {
    const answers = await atOnce(40, (index) => {
      const partnerId = index % 4 === 3 ? market.supplierId : market.customerId;
      return market.app.client.post('/api/sales', { partnerId, lines: [{ itemId: market.itemId, quantity: 1 }] });
    });
    assert.deepEqual(tally(answers), { '201': 30, '422 validation_failed': 10 });
    const numbers = answers.flatMap(({ status, body }) => (status === 201 ? [body.data.number as number] : []));
    assert.deepEqual(
      numbers.sort((one, other) => one - other),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  it('the same Idempotency-Key 50 times at once: one document, 50 times the same answer', async () => {
    const body = { partnerId: market.customerId, lines: [{ itemId: market.itemId, quantity: 2 }] };
    const before = await market.level(market.itemId);
    const answers = await atOnce(50, () =>
      market.app.client.post('/api/sales/delivery-notes', body, { 'Idempotency-Key': 'the-same-for-all' }),
    );
    assert.deepEqual(tally(answers), { '201': 50 });
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true').length, 49);
    assert.equal((await market.level(market.itemId)).onHand, before.onHand - 2);
  });
});
