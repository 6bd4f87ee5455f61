import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { documentTotals, type PricedLine } from '../../../../domain/trade/documents/totals.ts';
import { chargedRates, VAT_REGIMES } from '../../../../domain/trade/documents/vat.ts';

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
const fromHundredths = (value: number) => decimal(value).div(100).toFixed();

const invoice = fc.record({
  lines: fc.array(
    fc.record({
      quantity: hundredths(100_000),
      price: hundredths(1_000_000),
      discount: fc.integer({ min: 0, max: 10_000 }).map(fromHundredths),
      tax: fc.nat(TAXES.length - 1),
      regime: fc.constantFrom(...VAT_REGIMES),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  side: fc.constantFrom('sales' as const, 'purchase' as const),
  withholding: fc.constantFrom('0', '7', '15', '19.5'),
  places: fc.constantFrom(0, 2, 3),
});

type Invoice = typeof invoice extends fc.Arbitrary<infer T> ? T : never;

const priced = ({ lines, side }: Invoice) =>
  lines.map(({ quantity, price, discount, tax, regime }): PricedLine => {
    const { rate, surchargeRate } = chargedRates(TAXES[tax] as (typeof TAXES)[number], regime, side);
    const head = { taxGroupId: String(tax), taxCode: String(tax), taxRate: rate, surchargeRate };
    return {
      ...head,
      quantity,
      price,
      discountPercent: discount,
      secondDiscountPercent: '0',
      documentDiscount: '0',
      documentCharge: '0',
    };
  });

const percent = (base: bigint, rate: Decimal, places: number) => rounded(base * units(rate), 100n * UNIT, places);

function expectedAmounts(lines: readonly PricedLine[], places: number): bigint[] {
  return lines.map((line) => {
    const kept = 100n * UNIT - units(line.discountPercent);
    return rounded(units(line.quantity) * units(line.price) * kept, 100n * UNIT * UNIT, places);
  });
}
function expectedTaxes(lines: readonly PricedLine[], places: number): [base: bigint, tax: bigint, surcharge: bigint][] {
  const amounts = expectedAmounts(lines, places);
  const bases = new Map<string, { base: bigint; line: PricedLine }>();
  lines.forEach((line, index) => {
    const key = `${line.taxGroupId} ${line.taxRate} ${line.surchargeRate}`;
    bases.set(key, { base: (bases.get(key)?.base ?? 0n) + (amounts[index] ?? 0n), line });
  });
  return [...bases.values()].map(({ base, line }) => [
    base,
    percent(base, line.taxRate, places),
    percent(base, line.surchargeRate, places),
  ]);
}

describe('invoices of every regime', () => {
  const ever = (check: (totals: ReturnType<typeof documentTotals>, lines: PricedLine[], of: Invoice) => void) =>
    fc.assert(
      fc.property(invoice, (of) => {
        const lines = priced(of);
        check(documentTotals(lines, of.withholding, of.places), lines, of);
      }),
      { numRuns: 1000 },
    );

  it('round the amount of each line, half away from zero', () => {
    ever(({ amounts }, lines, { places }) => assert.deepEqual(amounts.map(units), expectedAmounts(lines, places)));
  });

  it('have their taxes and surcharges on the summed base', () => {
    ever(({ taxes }, lines, { places }) =>
      assert.deepEqual(
        taxes.map((tax) => [units(tax.base), units(tax.amount), units(tax.surchargeAmount)]),
        expectedTaxes(lines, places),
      ),
    );
  });

  it('add up: lines, taxes, surcharge and withholding', () => {
    ever((totals, lines, { withholding, places }) => {
      const subtotal = expectedAmounts(lines, places).reduce((sum, amount) => sum + amount, 0n);
      const taxes = expectedTaxes(lines, places);
      const taxTotal = taxes.reduce((sum, [, amount, surcharge]) => sum + amount + surcharge, 0n);
      const withheld = percent(subtotal, withholding, places);
      assert.deepEqual([totals.subtotal, totals.taxTotal, totals.withholdingAmount, totals.total].map(units), [
        subtotal,
        taxTotal,
        withheld,
        subtotal + taxTotal - withheld,
      ]);
    });
  });

  it('have returns that are as much less than nothing', () => {
    ever((totals, lines, { withholding, places }) => {
      const negated = lines.map((line) => ({ ...line, quantity: decimal(line.quantity).neg().toFixed() }));
      const back = documentTotals(negated, withholding, places);
      assert.deepEqual(
        [back.subtotal, back.discountTotal, back.taxTotal, back.withholdingAmount, back.total].map(units),
        [totals.subtotal, totals.discountTotal, totals.taxTotal, totals.withholdingAmount, totals.total].map(
          (value) => -units(value),
        ),
      );
    });
  });

  it('charge the rate of the tax in the regimes general, surcharge and agricultural, and the surcharge on sales alone', () => {
    for (const regime of VAT_REGIMES) {
      for (const side of ['sales', 'purchase'] as const) {
        const { rate, surchargeRate } = chargedRates(TAXES[0], regime, side);
        const charged = ['general', 'surcharge', 'agricultural'].includes(regime);
        assert.equal(rate, charged ? '21' : '0', `${regime} ${side}`);
        assert.equal(surchargeRate, regime === 'surcharge' && side === 'sales' ? '5.2' : '0', `${regime} ${side}`);
      }
    }
  });
});
