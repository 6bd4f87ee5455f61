import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentTotals, type PricedLine } from '../../../domain/documents/totals.ts';
import { chargedRates, VAT_REGIMES } from '../../../domain/documents/vat.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';

/** Whole numbers of 10⁻¹²: what the expected amounts are worked out with, apart from the service's own decimals. */
const UNIT = 10n ** 12n;
const units = (text: string): bigint => {
  const [whole = '0', part = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole) * UNIT + BigInt(part.padEnd(12, '0'));
  return text.startsWith('-') ? -value : value;
};
/** value / divisor in whole cents of `places` decimals, half away from zero. */
function rounded(value: bigint, divisor: bigint, places: number): bigint {
  const step = UNIT / 10n ** BigInt(places);
  const size = (value < 0n ? -value : value) * 2n + divisor * step;
  const cents = size / (2n * divisor * step);
  return (value < 0n ? -cents : cents) * step;
}

const TAXES = [
  { rate: '21', surchargeRate: '5.2', kind: 'vat' },
  { rate: '10', surchargeRate: '1.4', kind: 'vat' },
  { rate: '4', surchargeRate: '0.5', kind: 'vat' },
  { rate: '0', surchargeRate: '0', kind: 'exempt' },
  { rate: '21', surchargeRate: '0', kind: 'reverse_charge' },
] as const;

const hundredths = (most: number) =>
  fc.integer({ min: -most, max: most }).map((value) => decimal(value).div(100).toFixed());
const hundredthsOf = (value: number) => decimal(value).div(100).toFixed();

const invoice = fc.record({
  lines: fc.array(
    fc.record({
      quantity: hundredths(100_000),
      price: hundredths(1_000_000),
      discount: fc.integer({ min: 0, max: 10_000 }).map(hundredthsOf),
      tax: fc.nat(TAXES.length - 1),
      regime: fc.constantFrom(...VAT_REGIMES),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  side: fc.constantFrom('sales' as const, 'purchase' as const),
  withholding: fc.constantFrom('0', '7', '15', '19.5'),
  places: fc.constantFrom(0, 2, 3),
});

describe('invoices of every regime', () => {
  it('add up: lines, taxes on the summed base, surcharge and withholding, half away from zero, and so do their returns', () => {
    fc.assert(
      fc.property(invoice, ({ lines, side, withholding, places }) => {
        const priced = lines.map(({ quantity, price, discount, tax, regime }): PricedLine => {
          const { rate, surchargeRate } = chargedRates(TAXES[tax] as (typeof TAXES)[number], regime, side);
          const head = { taxGroupId: String(tax), taxCode: String(tax), taxRate: rate, surchargeRate };
          return { ...head, quantity, price, discountPercent: discount };
        });
        const totals = documentTotals(priced, withholding, places);

        const amounts = priced.map((line) => {
          const kept = 100n * UNIT - units(line.discountPercent);
          return rounded(units(line.quantity) * units(line.price) * kept, 100n * UNIT * UNIT, places);
        });
        assert.deepEqual(totals.amounts.map(units), amounts);
        const subtotal = amounts.reduce((sum, amount) => sum + amount, 0n);
        const bases = new Map<string, { base: bigint; line: PricedLine }>();
        priced.forEach((line, index) => {
          const key = `${line.taxGroupId} ${line.taxRate} ${line.surchargeRate}`;
          const base = (bases.get(key)?.base ?? 0n) + (amounts[index] ?? 0n);
          bases.set(key, { base, line });
        });
        const percent = (base: bigint, rate: Decimal) => rounded(base * units(rate), 100n * UNIT, places);
        const taxes = [...bases.values()].map(({ base, line }) => [
          base,
          percent(base, line.taxRate),
          percent(base, line.surchargeRate),
        ]);
        assert.deepEqual(
          totals.taxes.map((tax) => [units(tax.base), units(tax.amount), units(tax.surchargeAmount)]),
          taxes,
        );
        const taxTotal = taxes.reduce((sum, [, amount = 0n, surcharge = 0n]) => sum + amount + surcharge, 0n);
        const withheld = percent(subtotal, withholding);
        assert.deepEqual([totals.subtotal, totals.taxTotal, totals.withholdingAmount, totals.total].map(units), [
          subtotal,
          taxTotal,
          withheld,
          subtotal + taxTotal - withheld,
        ]);

        const negated = priced.map((line) => ({
          ...line,
          quantity: decimal(line.quantity).neg().toFixed(),
        }));
        const back = documentTotals(negated, withholding, places);
        assert.deepEqual(
          [back.subtotal, back.discountTotal, back.taxTotal, back.withholdingAmount, back.total].map(units),
          [totals.subtotal, totals.discountTotal, totals.taxTotal, totals.withholdingAmount, totals.total].map(
            (value) => -units(value),
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('charge VAT in the regimes general and surcharge alone, and the surcharge on sales alone', () => {
    for (const regime of VAT_REGIMES) {
      for (const side of ['sales', 'purchase'] as const) {
        const { rate, surchargeRate } = chargedRates(TAXES[0], regime, side);
        const charged = regime === 'general' || regime === 'surcharge';
        assert.equal(rate, charged ? '21' : '0', `${regime} ${side}`);
        assert.equal(surchargeRate, regime === 'surcharge' && side === 'sales' ? '5.2' : '0', `${regime} ${side}`);
      }
    }
  });
});
