/** The entry that settles the VAT of a period. */
import assert from 'node:assert/strict';
import { isBalanced } from '../../../../domain/ledger/accounting/entries.ts';
import type { Overrides } from '../../../../domain/ledger/tax-returns/boxes.ts';
import { type Input303, model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { model420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import {
  rectifyingLines,
  SETTLED_303,
  SETTLED_420,
  settlementLines,
} from '../../../../domain/ledger/tax-returns/settlement.ts';
import { decimal } from '../../../../domain/money.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const ACCOUNTS = { payable: '4750', receivable: '4700', gain: '639', loss: '634' };

const asText = (lines: ReturnType<typeof settlementLines>) =>
  lines.map(({ accountId, debit, credit }) => (debit === '0' ? `H ${accountId} ${credit}` : `D ${accountId} ${debit}`));

/** The lines, `D 477 210`, of taxes by account. */
function settled(
  taxes: readonly (readonly [account: string, ReturnType<typeof taxTotal>])[],
  more: Partial<Input303> = {},
) {
  const totals = taxes.map(([accountId, total]) => ({ ...total, accountId }));
  const period = { year: 2026, period: '4T' };
  const { boxes } = model303({ period, totals, carried: '0', refund: false, stateShare: '100', ...more });
  const lines = settlementLines(SETTLED_303, totals, boxes, ACCOUNTS);
  assert.ok(lines.length === 0 || isBalanced(lines));
  return asText(lines);
}

/** The lines by which a second return of a period corrects what the first one has settled. */
function rectified(before: number, base: number, stated: Overrides, more: Partial<Input303> = {}): string[] {
  const options = {
    period: { year: 2026, period: '2T' },
    carried: '0',
    refund: false,
    stateShare: '100',
    ...more,
  } as const;
  const of = (amount: number) => [{ ...taxTotal('output', amount), accountId: '477' }];
  const { boxes } = model303({ ...options, totals: of(before) });
  const entered = settlementLines(SETTLED_303, of(before), boxes, ACCOUNTS).map(({ accountId, debit, credit }) => ({
    accountId,
    balance: decimal(debit).minus(credit).toFixed(),
  }));
  const rectifying = model303({ ...options, totals: of(base), rectifies: true, overrides: stated });
  const lines = rectifyingLines(SETTLED_303, of(base), rectifying.boxes, ACCOUNTS, entered);
  assert.ok(lines.length === 0 || isBalanced(lines));
  return asText(lines);
}

describe('VAT settlement of a rectifying return', () => {
  it('enters only the difference, and leaves what was paid', () => {
    assert.deepEqual(rectified(1000, 1100, { '70': '210' }), ['D 477 21', 'H 4750 21']);
    assert.deepEqual(rectified(1000, 900, { '70': '210' }), ['H 477 21', 'D 4700 21']);
    assert.deepEqual(rectified(1000, 1000, { '70': '210' }), []);
  });

  it('takes back a credit that was to be compensated, or leaves it once it was refunded', () => {
    assert.deepEqual(rectified(-1000, -900, { '70': '0' }), ['D 477 21', 'H 4700 21']);
    assert.deepEqual(rectified(-1000, 100, { '70': '0' }), ['D 477 231', 'H 4700 210', 'H 4750 21']);
    assert.deepEqual(rectified(-1000, -900, { '70': '0', '109': '210' }), ['D 477 21', 'H 4750 21']);
  });

  it('applies more or less of an earlier credit', () => {
    assert.deepEqual(rectified(1000, 1100, { '70': '60' }, { carried: '150' }), ['D 477 21', 'H 4750 21']);
    assert.deepEqual(rectified(500, 1000, { '70': '0' }, { carried: '150' }), ['D 477 105', 'H 4700 45', 'H 4750 60']);
  });
});

describe('VAT settlement', () => {
  const sale = ['477', taxTotal('output', 1000)] as const;
  const purchase = ['472', taxTotal('input', 3000)] as const;

  it('clears 477 and 472 against the amount owed', () => {
    assert.deepEqual(settled([sale, ['472', taxTotal('input', 100)]]), ['D 477 210', 'H 472 21', 'H 4750 189']);
  });

  it('keeps a credit on 4700, which later periods use', () => {
    assert.deepEqual(settled([sale, purchase]), ['D 477 210', 'H 472 630', 'D 4700 420']);
    // 210 are due, of which 150 are compensated.
    assert.deepEqual(settled([sale], { carried: '150' }), ['D 477 210', 'H 4700 150', 'H 4750 60']);
  });

  it('leaves lost tax, withholdings, bases and taxes without a box unchanged', () => {
    const rest = [
      ['600', taxTotal('input', 100, { use: 'none' })],
      ['473', taxTotal('withholding', 100, { rate: '15' })],
      ['700', taxTotal('output', 500, { operation: 'exempt', rate: '0' })],
      ['477', taxTotal('output', 100, { rate: '7' })],
    ] as const;
    assert.deepEqual(settled(rest), []);
  });

  it('includes the amounts owed to the provinces', () => {
    // 60 % of 210 are for the state, 84 for others.
    assert.deepEqual(settled([sale], { stateShare: '60' }), ['D 477 210', 'H 4750 126', 'H 4750 84']);
    // The state owes 74 after it gives 200 back, while the provinces are still owed their 84.
    const given = { stateShare: '60', overrides: { '68': '-200' } } as const;
    assert.deepEqual(settled([sale], given), ['D 477 210', 'D 4700 74', 'H 4750 84', 'H 639 200']);
    assert.deepEqual(settled([sale, purchase], { stateShare: '60', overrides: { '68': '300' } }), [
      ...['D 477 210', 'H 472 630', 'H 4750 48', 'D 4700 168', 'D 634 300'],
    ]);
  });

  it('books manually stated amounts to the result', () => {
    assert.deepEqual(settled([sale], { overrides: { '43': '10' } }), ['D 477 210', 'H 4750 200', 'H 639 10']);
    assert.deepEqual(settled([sale], { overrides: { '43': '-10' } }), ['D 477 210', 'H 4750 220', 'D 634 10']);
  });
});

describe('IGIC settlement', () => {
  const taxes = (sold: number, bought = 0) => [
    { ...taxTotal('output', sold, { rate: '7' }), accountId: '4777' },
    { ...taxTotal('input', bought, { rate: '7' }), accountId: '4727' },
  ];
  const settledAs = (sold: number, bought: number, more: Partial<Parameters<typeof model420>[0]> = {}) => {
    const totals = taxes(sold, bought);
    const { boxes } = model420({ totals, carried: '0', refund: false, ...more });
    return settlementLines(SETTLED_420, totals, boxes, ACCOUNTS);
  };
  const corrected = (before: Parameters<typeof settledAs>, sold: number, bought: number, stated: Overrides) => {
    const entered = settledAs(...before).map(({ accountId, debit, credit }) => ({
      accountId,
      balance: decimal(debit).minus(credit).toFixed(),
    }));
    const totals = taxes(sold, bought);
    const { boxes } = model420({ totals, carried: '0', refund: false, overrides: stated });
    return asText(rectifyingLines(SETTLED_420, totals, boxes, ACCOUNTS, entered));
  };

  it('clears the tax against what is owed, with all of an earlier credit', () => {
    assert.deepEqual(asText(settledAs(1000, 300)), ['D 4777 70', 'H 4727 21', 'H 4750 49']);
    assert.deepEqual(asText(settledAs(300, 1000)), ['D 4777 21', 'H 4727 70', 'D 4700 49']);
    assert.deepEqual(asText(settledAs(1000, 0, { carried: '30' })), ['D 4777 70', 'H 4700 30', 'H 4750 40']);
    assert.deepEqual(asText(settledAs(1000, 0, { carried: '100' })), ['D 4777 70', 'H 4700 70']);
    assert.deepEqual(asText(settledAs(0, 1000, { carried: '30' })), ['H 4727 70', 'D 4700 70']);
    assert.deepEqual(settledAs(0, 0, { carried: '30' }), []);
  });

  it('enters the difference of what another return of the quarter has entered', () => {
    assert.deepEqual(corrected([1000, 0], 1100, 0, { '44': '70' }), ['D 4777 7', 'H 4750 7']);
    assert.deepEqual(corrected([0, 1000], 0, 900, {}), ['D 4727 7', 'H 4700 7']);
    assert.deepEqual(corrected([0, 1000], 100, 0, {}), ['D 4727 70', 'H 4700 70', 'D 4777 7', 'H 4750 7']);
    // 70 were refunded, of which 63 were due.
    assert.deepEqual(corrected([0, 1000, { refund: true }], 0, 900, { '44': '-70' }), ['D 4727 7', 'H 4750 7']);
  });

  it('takes stated amounts to the result', () => {
    assert.deepEqual(asText(settledAs(1000, 0, { overrides: { '42': '5', '24': '3' } })), [
      ...['D 4777 70', 'H 4750 72', 'D 634 2'],
    ]);
  });
});
