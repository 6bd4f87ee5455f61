import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { substitutionTotals, substitutionWithholdings } from '../../../../domain/trade/documents/substitution.ts';
import { documentTotals, type PricedLine } from '../../../../domain/trade/documents/totals.ts';

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 9999 }).map((value): Decimal => decimal(value).div(100).toFixed()),
  price: fc.integer({ min: -999, max: 99_999 }).map((value): Decimal => decimal(value).div(1000).toFixed()),
  withTax: fc.boolean(),
  discountPercent: fc.constantFrom<Decimal>('0', '12.5'),
  taxRate: fc.constantFrom<Decimal>('21', '10'),
  surchargeRate: fc.constantFrom<Decimal>('0', '5.2'),
  withholdingRate: fc.constantFrom<Decimal | null>(null, '7'),
});
const invoice = fc.array(line, { minLength: 1, maxLength: 6 });

function priced(lines: readonly (typeof line extends fc.Arbitrary<infer L> ? L : never)[], sign: 1 | -1): PricedLine[] {
  return lines.map(({ withTax, quantity, ...rest }) => ({
    ...rest,
    quantity: decimal(quantity).times(sign).toFixed(),
    priceWithTax: withTax ? rest.price : null,
    secondDiscountPercent: '0',
    documentDiscount: '0',
    documentCharge: '0',
    taxGroupId: rest.taxRate,
    taxCode: rest.taxRate,
  }));
}

describe('the totals of a rectification by substitution', () => {
  const equal = (one: Decimal, other: Decimal, what: string) =>
    assert.equal(decimal(one).toFixed(2), decimal(other).toFixed(2), what);

  it('are the exact difference of two invoices, whatever was rounded', () => {
    fc.assert(
      fc.property(invoice, invoice, (before, after) => {
        const totals = substitutionTotals([...priced(before, -1), ...priced(after, 1)], '15', 2);
        const [old, now] = [documentTotals(priced(before, 1), '15', 2), documentTotals(priced(after, 1), '15', 2)];
        for (const member of ['subtotal', 'discountTotal', 'taxTotal', 'withholdingAmount', 'total'] as const)
          equal(totals[member], decimal(now[member]).minus(old[member]).toFixed(), member);
        assert.deepEqual(totals.amounts.slice(before.length), now.amounts);
        const taxes = totals.taxes.map(({ taxGroupId, surchargeRate }) => `${taxGroupId} ${surchargeRate}`);
        assert.equal(new Set(taxes).size, taxes.length);
      }),
    );
  });

  it('withhold the difference, once for each rate', () => {
    const lines = [
      { quantity: '-1', amount: '-10.03', withholdingRate: null },
      { quantity: '1', amount: '10.06', withholdingRate: null },
      { quantity: '1', amount: '100', withholdingRate: '7' },
    ] as const;
    assert.deepEqual(substitutionWithholdings(lines, '15', 2), [
      { rate: '15', base: '0.03', amount: '0.01' },
      { rate: '7', base: '100', amount: '7' },
    ]);
  });

  it('round both parts apart: a change of two cents may carry one of tax', () => {
    const none = {
      discountPercent: '0',
      secondDiscountPercent: '0',
      documentDiscount: '0',
      documentCharge: '0',
    } as const;
    const one = { ...none, taxGroupId: 'a', taxCode: 'A', taxRate: '21', surchargeRate: '0' } as const;
    const lines = [
      { ...one, quantity: '-1', price: '10.01' } as const,
      { ...one, quantity: '1', price: '10.03' } as const,
    ];
    assert.deepEqual(
      [substitutionTotals(lines, '0', 2).taxTotal, documentTotals(lines, '0', 2).taxTotal],
      ['0.01', '0'],
    );
  });
});
