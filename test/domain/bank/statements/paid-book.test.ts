import assert from 'node:assert/strict';
import { PaidBook } from '../../../../domain/bank/statements/paid-book.ts';
import { suggestReturns } from '../../../../domain/bank/statements/suggest-returns.ts';
import type { PaidBefore, SuggestedLine } from '../../../../domain/bank/statements/suggestion.ts';
import { decimal } from '../../../../domain/money.ts';

const partner = { id: 'p1', name: 'Frutas García, S.L.', iban: null };
const paid = (values: Partial<PaidBefore>): PaidBefore => {
  const days = { date: '2026-01-10', since: '2026-01-10' };
  return { id: 'x', direction: 'in', amount: '90', ...days, reference: null, ids: [], partner, ...values };
};
const line = (values: Partial<SuggestedLine>): SuggestedLine => {
  const texts = { reference: null, endToEndId: null, text: null, counterpartyName: null, counterpartyIban: null };
  return { date: '2026-01-15', amount: '-90', ...texts, ...values };
};
const rowIds = (found: readonly PaidBefore[]) => found.map(({ id }) => id);

describe('candidates for returns', () => {
  it('are found by amount, id and reference, in the opposite direction', () => {
    const book = new PaidBook([
      paid({ id: 'aa-1' }),
      paid({ id: 'aa-2', amount: '91', ids: ['e2e-7'] }),
      paid({ id: 'aa-3', amount: '92', reference: ' Recibo-8 ' }),
      paid({ id: 'aa-4', direction: 'out' }),
    ]);
    assert.deepEqual(rowIds(book.candidates(line({ amount: '-90.00' }))), ['aa-1']);
    assert.deepEqual(rowIds(book.candidates(line({ amount: '-95.5', endToEndId: 'E2E-7' }))), ['aa-2']);
    assert.deepEqual(rowIds(book.candidates(line({ amount: '-95.5', text: 'DEVOL. RECIBO-8' }))), ['aa-3']);
    assert.deepEqual(rowIds(book.candidates(line({ amount: '-95.5', endToEndId: 'AA2' }))), ['aa-2']);
    assert.deepEqual(rowIds(book.candidates(line({ amount: '90' }))), ['aa-4']);
  });

  it('are limited per line when there are many', () => {
    // 500 lines × 10,000 payments would be 5,000,000 comparisons. A line has 20 of its amount and 20 of a reference that all share:
    // of 500 amounts there are 20 each, of which the first are among the 20 of the reference; at most 500 × 40 = 20,000.
    const many = Array.from({ length: 10_000 }, (_, at) =>
      paid({ id: `p-${at}`, amount: decimal(100 + (at % 500)).toFixed(), reference: 'REMESA-1' }),
    );
    const book = new PaidBook(many);
    const lines = Array.from({ length: 500 }, (_, at) =>
      line({ amount: decimal(-100 - at).toFixed(), text: 'DEVOL REMESA-1' }),
    );
    const compared = lines.map((one) => book.candidates(one).length);
    assert.ok(Math.max(...compared) <= 40, `${Math.max(...compared)} for a line`);
    assert.ok(Math.min(...compared) >= 20);
  });

  it('are found by amounts as people write them', () => {
    const [suggested] = suggestReturns(line({}), [paid({ amount: '90.000000' })]);
    assert.match(suggested?.reasons.join('; ') ?? '', /^90 of 2026-01-10 may have come back/);
  });

  it('are suggested only from the day of their settlement', () => {
    const book = [paid({ since: '2026-01-20' })];
    const suggestedOn = (date: string) => suggestReturns(line({ date }), book).length;
    assert.deepEqual([suggestedOn('2026-01-19'), suggestedOn('2026-01-20')], [0, 1]);
  });
});
