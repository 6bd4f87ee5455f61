import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { companyAmounts, toCompany } from '../../../../domain/trade/documents/company-amounts.ts';
import { documentTotals } from '../../../../domain/trade/documents/totals.ts';

const NO_SHARES = {
  discountPercent: '0',
  secondDiscountPercent: '0',
  documentDiscount: '0',
  documentCharge: '0',
} as const;
const RATES = ['21', '10', '4', '0'] as const;
const cents = (value: number): Decimal => decimal(value).div(100).toFixed();
const rate = fc.integer({ min: 1, max: 100_000_000 }).map((value): Decimal => decimal(value).div(10_000).toFixed());
const priced = fc.record({
  quantity: fc.integer({ min: -20, max: 20 }).map((value): Decimal => decimal(value).toFixed()),
  price: fc.integer({ min: 0, max: 1_000_000 }).map(cents),
  taxRate: fc.constantFrom(...RATES),
});

/** The document in the company's currency, by a plain model: each line first, then everything from the lines. */
function model(lines: readonly { readonly amount: Decimal; readonly taxRate: Decimal }[], by: Decimal, places: number) {
  const amounts = lines.map(({ amount }) => decimal(decimal(amount).div(by).round(places).toFixed()));
  const taxes = RATES.map((percent) => {
    const base = sum(amounts.filter((_, index) => lines[index]?.taxRate === percent));
    return base.times(percent).div(100).round(places);
  });
  return { subtotal: sum(amounts), tax: sum(taxes) };
}

describe('amounts in the company’s currency', () => {
  it('are what the other currency is worth at the rate', () => {
    assert.equal(toCompany('108.5', '1.085', 2), '100');
    assert.equal(toCompany('1000', '160.25', 2), '6.24');
    assert.equal(toCompany('-0.005', '1', 2), '-0.01');
  });

  it('are those of the lines, with taxes of their own bases, to the cent', () => {
    fc.assert(
      fc.property(
        fc.array(priced, { minLength: 1, maxLength: 30 }),
        rate,
        fc.constantFrom(0, 2, 3),
        (given, by, places) => {
          const lines = given.map((line) => ({
            ...line,
            ...NO_SHARES,
            taxGroupId: line.taxRate,
            taxCode: line.taxRate,
            surchargeRate: '0' as const,
          }));
          const { amounts, taxes } = documentTotals(lines, '15', 2);
          const withAmounts = lines.map((line, index) => ({ ...line, amount: amounts[index] ?? '0' }));
          const document = { lines: withAmounts, taxes, withholdingRate: '15' as const, substitutes: false };
          const found = companyAmounts(document, by, places);
          const expected = model(withAmounts, by, places);
          assert.equal(found.subtotal, expected.subtotal.toFixed());
          assert.equal(found.taxTotal, expected.tax.toFixed());
          const withheld = expected.subtotal.times('0.15').round(places);
          assert.equal(found.withholdingAmount, withheld.toFixed());
          assert.equal(found.total, expected.subtotal.plus(expected.tax).minus(withheld).toFixed());
        },
      ),
    );
  });
});
