import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, decimalPlaces } from '../../../../domain/money.ts';
import { bestPrice, type ListPrice, OWN_UNIT } from '../../../../domain/records/prices/list-prices.ts';
import { type OfferQuestion, offerFromList } from '../../../../domain/records/prices/offers.ts';
import { quote } from '../../../../domain/records/prices/quote.ts';
import { includedPercent } from '../../../../domain/trade/documents/vat.ts';

const entry = (id: string, minQuantity: Decimal, price: Decimal | null, discountPercent: Decimal | null = null) =>
  ({ id, minQuantity, price, discountPercent }) satisfies ListPrice;
const NO_RULE = { priceRuleId: null, combinedRuleId: null, secondDiscountPercent: '0' };
const ask = ({
  prices = [],
  includesTax = false,
  ...changes
}: Partial<Omit<OfferQuestion, 'prices'>> & {
  readonly prices?: readonly ListPrice[];
  readonly includesTax?: boolean;
}) =>
  quote({
    offers: prices
      .map((price) => offerFromList(price, includesTax))
      .sort((one, other) => decimal(other.minQuantity).cmp(one.minQuantity)),
    prices: { own: '10.000000', cost: null },
    taxPercent: '0',
    quantity: '1',
    unit: OWN_UNIT,
    ...changes,
  });

describe('prices', () => {
  it('come from the greatest quantity that is reached, whatever the order of the entries', () => {
    // Millionths of the item's own unit, so that the model counts in whole numbers.
    const millionths = fc.integer({ min: 1, max: 100_000_000 });
    const factor = fc.integer({ min: 1, max: 2_147_483_647 });
    const text = (count: number) => decimal(count).times('0.000001').toFixed();
    fc.assert(
      fc.property(
        fc.uniqueArray(millionths, { maxLength: 8 }),
        millionths,
        fc.record({ numerator: factor, denominator: factor }),
        fc.boolean(),
        (minimums, quantity, unit, goesBack) => {
          const entries = minimums.map((count) => entry(String(count), text(count), '1'));
          const reached = (count: number) =>
            BigInt(count) * BigInt(unit.denominator) <= BigInt(quantity) * BigInt(unit.numerator);
          const expected = Math.max(...minimums.filter(reached));
          const found = bestPrice(entries, text(goesBack ? -quantity : quantity), unit);
          assert.equal(found?.id, expected === Number.NEGATIVE_INFINITY ? undefined : String(expected));
        },
      ),
    );
  });

  it('meet a quantity break exactly, in other units too', () => {
    const prices = [entry('one', '1', '5'), entry('gross', '144', '4')];
    const dozen = { numerator: 12, denominator: 1 };
    assert.deepEqual(ask({ prices, quantity: '12', unit: dozen }), {
      price: '48',
      priceWithTax: null,
      discountPercent: '0',
      priceId: 'gross',
      ...NO_RULE,
    });
    assert.equal(ask({ prices, quantity: '11.999999', unit: dozen }).price, '60');
    const third = { numerator: 1, denominator: 3 };
    assert.equal(ask({ prices, quantity: '432', unit: third }).price, '1.333333');
    assert.equal(ask({ prices, quantity: '431.999999', unit: third }).price, '1.666667');
    assert.equal(ask({ prices, quantity: '0.999999' }).priceId, null);
  });

  it('are the item’s own where the list has none, and leave a discount to the line', () => {
    assert.deepEqual(ask({}), { price: '10', priceWithTax: null, discountPercent: '0', priceId: null, ...NO_RULE });
    const prices = [entry('tenth', '1', null, '10.0000')];
    assert.deepEqual(ask({ prices, includesTax: true, taxPercent: '21' }), {
      price: '10',
      priceWithTax: null,
      discountPercent: '10.0000',
      priceId: 'tenth',
      ...NO_RULE,
    });
    assert.equal(ask({ prices: [entry('gift', '1', '0.000000')] }).price, '0');
    assert.equal(ask({ unit: { numerator: 1, denominator: 3 } }).price, '3.333333');
  });

  it('lose the tax that they include, rounded once', () => {
    const withTax = (price: Decimal, taxPercent: Decimal) =>
      ask({ prices: [entry('a', '1', price)], includesTax: true, taxPercent }).price;
    assert.equal(withTax('121', '21.0000'), '100');
    assert.equal(withTax('1', '21'), '0.826446');
    assert.equal(withTax('1', '26.2'), '0.792393');
    // 0.000001 ÷ 2 lies in the middle: away from zero.
    assert.equal(withTax('0.000001', '100'), '0.000001');
    assert.equal(withTax('0.000001', '100.0001'), '0');
    const dozen = ask({
      prices: [entry('a', '1', '1')],
      includesTax: true,
      taxPercent: '21',
      quantity: '1',
      unit: { numerator: 12, denominator: 1 },
    });
    assert.equal(dozen.price, '9.917355');
  });

  it('are within half a millionth of the exact ones, and fit a JSON number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999_999 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (millionths, tax) => {
          const price = decimal(millionths).times('0.000001').toFixed();
          const taxPercent = decimal(tax).times('0.0001').toFixed();
          const net = decimal(ask({ prices: [entry('a', '1', price)], includesTax: true, taxPercent }).price);
          assert.equal(decimal(Number(net.toFixed())).toFixed(), net.toFixed());
          assert.ok(decimalPlaces(net) <= 6, 'at most six decimals');
          const back = net.times(decimal(taxPercent).plus(100)).times('0.01');
          const half = decimal('0.0000005').times(decimal(taxPercent).plus(100)).times('0.01');
          assert.ok(back.minus(price).abs().lte(half), `${net.toFixed()} with tax is ${price}`);
        },
      ),
    );
    const large = ask({ prices: [entry('a', '1', '999999999999')], includesTax: true, taxPercent: '21' }).price;
    assert.equal(large, '826446280990.909');
  });

  it('include the surcharge where the sale bears it, and no tax where the tax is none', () => {
    const general = { rate: '21', surchargeRate: '5.2', kind: 'vat' } as const;
    assert.equal(includedPercent(general, 'general', 'sales'), '21');
    assert.equal(includedPercent(general, 'surcharge', 'sales'), '26.2');
    assert.equal(includedPercent(general, 'surcharge', 'purchase'), '21');
    assert.equal(includedPercent(general, 'export', 'sales'), '21');
    assert.equal(includedPercent({ ...general, kind: 'reverse_charge' }, 'general', 'sales'), '0');
  });
});
