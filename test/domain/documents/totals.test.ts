import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentTotals, type PricedLine } from '../../../domain/documents/totals.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';

function line(quantity: Decimal, price: Decimal, more: Partial<PricedLine> = {}): PricedLine {
  return {
    quantity,
    price,
    discountPercent: '0',
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
