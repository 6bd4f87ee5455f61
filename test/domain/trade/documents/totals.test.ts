import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { documentTotals, type PricedLine } from '../../../../domain/trade/documents/totals.ts';

function line(quantity: Decimal, price: Decimal, more: Partial<PricedLine> = {}): PricedLine {
  return {
    quantity,
    price,
    discountPercent: '0',
    secondDiscountPercent: '0',
    documentDiscount: '0',
    documentCharge: '0',
    taxGroupId: 'iva21',
    taxCode: 'IVA21',
    taxRate: '21',
    surchargeRate: '0',
    ...more,
  };
}

describe('document totals', () => {
  it('rounds each line, then the tax once on the summed base', () => {
    // Three lines of 0.335: each rounds to 0.34; a tax rounded for each line would be 0.21, on the sum of 1.02 too, but on 1.005 not.
    const totals = documentTotals([line('1', '0.335'), line('1', '0.335'), line('1', '0.335')], '0', 2);
    assert.deepEqual(totals.amounts, ['0.34', '0.34', '0.34']);
    assert.equal(totals.subtotal, '1.02');
    assert.equal(totals.taxTotal, '0.21');
    assert.equal(totals.total, '1.23');
  });

  it('takes the tax out of the total of each rate where prices have it', () => {
    const of = (...lines: PricedLine[]) => {
      const { amounts, subtotal, taxTotal, total, discountTotal } = documentTotals(lines, '0', 2);
      return [amounts, subtotal, taxTotal, total, discountTotal];
    };
    const piece = (quantity: Decimal, more: Partial<PricedLine> = {}) =>
      line(quantity, '8.264463', { priceWithTax: '10', ...more });
    // 10.00 × 21 / 121 = 1.7355: 1.74, and 8.26 remain. Taxed from 8.26 it would be 1.73, and 9.99 together.
    assert.deepEqual(of(piece('1')), [['8.26'], '8.26', '1.74', '10', '0']);
    // 30.00 × 21 / 121 = 5.2066: 5.21; of 24.79 each line has 8.26 or 8.27.
    assert.deepEqual(of(piece('1'), piece('1'), piece('1')), [['8.26', '8.27', '8.26'], '24.79', '5.21', '30', '0']);
    // 10 % off 30.00: 27.00 × 21 / 121 = 4.6860; 22.31 of 24.79 remain.
    assert.deepEqual(of(piece('3', { discountPercent: '10' })), [['22.31'], '22.31', '4.69', '27', '2.48']);
    // With the surcharge 10.00 × 21 / 126.2 = 1.6640 and × 5.2 / 126.2 = 0.4120.
    assert.deepEqual(of(piece('1', { surchargeRate: '5.2' })), [['7.93'], '7.93', '2.07', '10', '0']);
    // Beside 5.00 without tax, which bears 1.05.
    assert.deepEqual(of(piece('1'), line('1', '5')), [['8.26', '5'], '13.26', '2.79', '16.05', '0']);
    assert.deepEqual(of(piece('-1')), [['-8.26'], '-8.26', '-1.74', '-10', '0']);
    // Lines that nearly cancel each other keep their amounts.
    assert.deepEqual(of(piece('1'), piece('-1', { priceWithTax: '9.99' })), [
      ['8.26', '-8.25'],
      '0.01',
      '0',
      '0.01',
      '0',
    ]);
  });

  it('of prices with tax is the sum of what the lines say, whatever they are', () => {
    const cents = fc.integer({ min: -100_000, max: 100_000 }).map((value) => decimal(value).div(100).toFixed());
    const anyPrice = fc.record({
      priceWithTax: cents,
      taxRate: fc.constantFrom('21', '10', '4', '0'),
      surchargeRate: fc.constantFrom('0', '5.2'),
    });
    fc.assert(
      fc.property(fc.array(anyPrice, { minLength: 1, maxLength: 30 }), (prices) => {
        const lines = prices.map((more) => line('1', '0', { ...more, taxGroupId: more.taxRate }));
        const totals = documentTotals(lines, '0', 2);
        assert.equal(totals.total, sum(prices.map(({ priceWithTax }) => priceWithTax)).toFixed());
        prices.forEach(({ priceWithTax, taxRate, surchargeRate }, index) => {
          const net = decimal(priceWithTax).times(100).div(decimal(taxRate).plus(surchargeRate).plus(100));
          assert.ok(
            net
              .minus(totals.amounts[index] ?? '0')
              .abs()
              .lt('0.02'),
            `${totals.amounts[index]} of ${priceWithTax}`,
          );
        });
        const back = documentTotals(
          lines.map((one) => ({ ...one, quantity: '-1' }) as const),
          '0',
          2,
        );
        assert.equal(back.total, decimal(totals.total).neg().toFixed());
        assert.equal(back.taxTotal, decimal(totals.taxTotal).neg().toFixed());
      }),
    );
  });

  it('rounds half away from zero, for returns too', () => {
    assert.deepEqual(documentTotals([line('1', '2.675'), line('-1', '2.675')], '0', 2).amounts, ['2.68', '-2.68']);
  });

  it('is exact where binary floats are not', () => {
    assert.equal(documentTotals([line('1.1', '1.1'), line('3', '0.1')], '0', 2).subtotal, '1.51');
    assert.equal(documentTotals([line('1', '1.005')], '0', 2).subtotal, '1.01');
  });

  it('takes the discount off the line and reports it', () => {
    const totals = documentTotals([line('3', '10', { discountPercent: '12.5' })], '0', 2);
    assert.deepEqual([totals.subtotal, totals.discountTotal], ['26.25', '3.75']);
  });

  it('adds the equivalence surcharge and takes the withholding off', () => {
    const totals = documentTotals([line('1', '100', { surchargeRate: '5.2' })], '15', 2);
    assert.deepEqual(
      { taxTotal: totals.taxTotal, withholdingAmount: totals.withholdingAmount, total: totals.total },
      { taxTotal: '26.2', withholdingAmount: '15', total: '111.2' },
    );
  });

  it('keeps a tax with surcharge apart from the same tax without', () => {
    const { taxes } = documentTotals([line('1', '10'), line('1', '10', { surchargeRate: '5.2' })], '0', 2);
    assert.deepEqual(
      taxes.map((tax) => [tax.base, tax.surchargeRate]),
      [
        ['10', '0'],
        ['10', '5.2'],
      ],
    );
  });

  const amount = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 4 }))
    .map(([digits, places]) => decimal(digits).div(decimal(10).pow(places)).toFixed());
  const anyLine = fc.record({
    quantity: amount,
    price: amount,
    discountPercent: fc.integer({ min: 0, max: 100 }).map((value): Decimal => `${value}`),
    secondDiscountPercent: fc.integer({ min: 0, max: 100 }).map((value): Decimal => `${value}`),
    documentDiscount: fc.integer({ min: -9, max: 9 }).map((value): Decimal => `${value}`),
    documentCharge: fc.integer({ min: -9, max: 9 }).map((value): Decimal => `${value}`),
    taxGroupId: fc.constantFrom('iva21', 'iva10', 'iva0'),
    surchargeRate: fc.constantFrom('0', '5.2'),
  });

  it('always: total = Σ line amounts + Σ taxes − withholding, bases cover all lines, nothing beyond the precision', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 35 }),
        fc.integer({ min: 0, max: 4 }),
        (raw, rate, places) => {
          const lines = raw.map((entry) => ({
            ...entry,
            taxCode: entry.taxGroupId,
            taxRate: entry.taxGroupId.slice(3) as Decimal,
          }));
          const totals = documentTotals(lines, `${rate}`, places);
          const taxes = sum(totals.taxes.flatMap((tax) => [tax.amount, tax.surchargeAmount]));
          assert.equal(sum(totals.amounts).plus(taxes).minus(totals.withholdingAmount).toFixed(), totals.total);
          assert.equal(sum(totals.taxes.map((tax) => tax.base)).toFixed(), totals.subtotal);
          for (const tax of totals.taxes) {
            const exact = decimal(tax.base).times(tax.rate).div(100);
            assert.ok(
              exact.minus(tax.amount).abs().lte(decimal(10).pow(-places).div(2)),
              'a tax is within half a unit of the exact one',
            );
          }
          for (const value of [...totals.amounts, totals.total, totals.taxTotal]) {
            assert.equal(decimal(value).round(places).toFixed(), decimal(value).toFixed());
          }
        },
      ),
    );
  });
});
