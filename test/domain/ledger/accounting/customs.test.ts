/** VAT of imported goods by their customs document. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { customsLines, type ImportedLine, sharesByRate } from '../../../../domain/ledger/accounting/customs.ts';
import { firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { isBalanced } from '../../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';

const shares = (base: Decimal, vatAmount: Decimal, goods: readonly (readonly [rate: Decimal, amount: Decimal])[]) =>
  sharesByRate(
    { base, vatAmount },
    goods.map(([rate, amount]) => ({ rate, amount })),
    2,
  );

const importedLine = fc.record({
  amount: fc.integer({ min: 1, max: 100_000 }),
  rate: fc.constantFrom('21', '10', '4'),
  use: fc.constantFrom('current', 'investment', 'none'),
  own: fc.constantFrom('100', '50', '0'),
  common: fc.boolean(),
});

describe('a customs document', () => {
  it('has the VAT of its base, but for rounding by heading', () => {
    assert.deepEqual(shares('1100', '231', [['21', '1000']]), [{ rate: '21', base: '1100', amount: '231' }]);
    assert.deepEqual(shares('1100', '230.4', [['21', '1000']])?.[0]?.amount, '230.4');
    assert.equal(shares('1100', '229.99', [['21', '1000']]), null);
    assert.equal(shares('1100', '232.01', [['21', '1000']]), null);
    assert.deepEqual(shares('-1100', '-231', [['21.0000', '-1000']]), [{ rate: '21', base: '-1100', amount: '-231' }]);
  });

  it('is divided between two rates as its VAT requires', () => {
    // 1,150 by goods of 700 and 400; 21 % of 750 and 4 % of 400 are 173.50.
    const goods = [
      ['21', '700'],
      ['4', '400'],
    ] as const;
    assert.deepEqual(shares('1150', '173.5', goods), [
      { rate: '4', base: '400', amount: '16' },
      { rate: '21', base: '750', amount: '157.5' },
    ]);
    // More than 21 %, or less than 4 %, of the whole.
    assert.equal(shares('1150', '250', goods), null);
    assert.equal(shares('1150', '40', goods), null);
    // The VAT of 0.0073 is a cent, which no division of four cents has.
    assert.deepEqual(
      shares('0.04', '0.01', [
        ['21', '0.03'],
        ['10', '0.01'],
      ])?.map(({ base, amount }) => [base, amount]),
      [['0.04', '0.01']],
    );
  });

  it('is entered with all its base and VAT, balanced, whatever is lost', () => {
    fc.assert(
      fc.property(
        fc.array(importedLine, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 100 }),
        fc.boolean(),
        (found, rata, deferred) => {
          const lines = found.map(
            ({ amount, rate, use, own, common }, index): ImportedLine => ({
              amount: decimal(amount).div(100).toFixed(),
              rate: rate as Decimal,
              use: use as ImportedLine['use'],
              taxGroupId: rate,
              deduction: use === 'none' ? { own: '0', common: false } : { own: own as Decimal, common },
              accountId: `600${index}`,
              ...firstDimensions(),
            }),
          );
          const base = sum(lines.map(({ amount }) => amount)).toFixed();
          const vatAmount = sum(lines.map(({ amount, rate }) => decimal(amount).times(rate).div(100)))
            .round(2)
            .toFixed();
          const entered = customsLines({
            document: { number: 'MRN', date: '2026-01-01', base, vatAmount, deferred },
            lines,
            rectifying: false,
            places: 2,
            proRata: decimal(rata).toFixed(),
            taxAccounts: new Map(['21', '10', '4'].map((id) => [id, { input: '472', output: '477' }])),
            payableAccountId: '4750',
          });
          if (decimal(vatAmount).eq(0)) return;
          assert.ok(isBalanced(entered));
          const taxes = entered.flatMap(({ tax }) => (tax?.kind === 'input' ? [tax] : []));
          assert.equal(sum(taxes.map((tax) => tax.base)).toFixed(), base);
          assert.equal(sum(taxes.map((tax) => tax.amount)).toFixed(), decimal(vatAmount).toFixed());
        },
      ),
    );
  });
});
