import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { daysAfter } from '../../../../domain/days.ts';
import { entrySums } from '../../../../domain/ledger/accounting/entries.ts';
import {
  type DeferredAmount,
  deferralLines,
  deferredParts,
  periodFault,
  recognitionLines,
  spreadByMonth,
  type WaitingLine,
} from '../../../../domain/ledger/deferrals/spread.ts';
import { decimal, sum } from '../../../../domain/money.ts';

const YEAR = { from: '2026-01-15', to: '2027-01-14' };
const ITEM = { kind: 'expense', accountId: 'x', deferralAccountId: 'd', projectId: null, costCenterId: null } as const;

describe('spreading over the months of a service', () => {
  it('takes each month by its days, and the last takes the remainder', () => {
    const parts = spreadByMonth('1200', YEAR, 2);
    assert.deepEqual(
      parts.slice(0, 3).map(({ date, amount }) => [date, amount]),
      [
        ['2026-01-31', '55.89'],
        ['2026-02-28', '92.05'],
        ['2026-03-31', '101.92'],
      ],
    );
    assert.deepEqual(parts.at(-1), { date: '2027-01-31', amount: '46.02' });
    assert.equal(parts.length, 13);
  });

  it('adds up exactly, and no part exceeds what is left', () => {
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 364 }), (amount, days, first) => {
        const value = decimal(amount).div(100).toFixed();
        const from = daysAfter('2026-01-01', first);
        const parts = spreadByMonth(value, { from, to: daysAfter(from, days) }, 2);
        assert.ok(sum(parts.map((part) => part.amount)).eq(value));
        assert.ok(parts.every((part) => decimal(part.amount).times(amount).gte(0)));
      }),
    );
  });

  it('defers the months after that of the document, and of a credit its share of what still waits', () => {
    const quarter = { from: '2026-01-01', to: '2026-03-31' };
    const dates = (found: readonly { readonly date: string }[]) => found.map(({ date }) => date);
    assert.deepEqual(dates(deferredParts('300', quarter, '2026-01-10', 2)), ['2026-02-28', '2026-03-31']);
    assert.deepEqual(deferredParts('300', quarter, '2026-03-05', 2), []);
    assert.deepEqual(deferredParts('0', YEAR, '2026-01-15', 2), []);
    const taken: WaitingLine = { service: quarter, left: '200', months: [{ date: '2026-03-31', amount: '33.33' }] };
    assert.deepEqual(deferredParts('-200', quarter, '2026-03-05', 2, taken), [
      { date: '2026-03-31', amount: '-33.33' },
    ]);
    assert.deepEqual(deferredParts('-100', quarter, '2026-03-05', 2, taken), [
      { date: '2026-03-31', amount: '-16.67' },
    ]);
    const march = { from: '2026-03-01', to: '2026-03-31' };
    assert.deepEqual(deferredParts('-50', march, '2026-03-05', 2, taken), [{ date: '2026-03-31', amount: '-50' }]);
  });

  it('refuses periods that end before they begin, or after ten years', () => {
    assert.equal(periodFault(YEAR), null);
    assert.equal(periodFault({ from: '2026-01-15', to: '2036-01-31' }), null);
    assert.match(periodFault({ from: '2026-01-15', to: '2036-02-01' }) ?? '', /within ten years/);
    assert.match(periodFault({ from: '2026-01-15', to: '2026-01-14' }) ?? '', /must not be before/);
  });

  it('balances what it enters: income on the other side than expense, and nothing where parts cancel out', () => {
    const amounts: DeferredAmount[] = [
      { ...ITEM, amount: '10' },
      { ...ITEM, amount: '5', projectId: 'p' },
      { ...ITEM, kind: 'income', deferralAccountId: 'i', accountId: 'y', amount: '7' },
    ];
    const short = recognitionLines(amounts).map(({ accountId, debit, credit }) => [accountId, debit, credit]);
    assert.deepEqual(short, [
      ['x', '10', '0'],
      ['x', '5', '0'],
      ['y', '0', '7'],
      ['d', '0', '15'],
      ['i', '7', '0'],
    ]);
    assert.deepEqual(entrySums(deferralLines(amounts)), { debit: '22', credit: '22' });
    const back = amounts.map((one) => ({ ...one, amount: decimal(one.amount).neg().toFixed() }));
    assert.deepEqual(recognitionLines([...amounts, ...back]), []);
  });
});
