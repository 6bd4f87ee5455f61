import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { OWN_UNIT } from '../../../../domain/records/prices/list-prices.ts';
import {
  chooseOffer,
  compareOffers,
  explainOffers,
  ITEM_SCOPES,
  type Offer,
  type OfferQuestion,
  offeredPrice,
  offerFromList,
  PARTNER_SCOPES,
} from '../../../../domain/records/prices/offers.ts';

const rule = (id: string, values: Partial<Offer> = {}): Offer => ({
  ...offerFromList({ id, price: null, discountPercent: null, minQuantity: '0' }, false),
  source: 'price_rule',
  name: id,
  partners: 'all',
  ...values,
});
const fixed = (id: string, price: Decimal, values: Partial<Offer> = {}) =>
  rule(id, { basis: 'fixed', price, ...values });
const question = (offers: readonly Offer[], values: Partial<OfferQuestion> = {}): OfferQuestion => ({
  offers: [...offers].sort(compareOffers),
  prices: { own: '10', cost: '6' },
  taxPercent: '21',
  quantity: '1',
  unit: OWN_UNIT,
  ...values,
});
const chosen = (offers: readonly Offer[], values: Partial<OfferQuestion> = {}) => chooseOffer(question(offers, values));

describe('offers', () => {
  it('go by priority, then partners, then items, then quantity', () => {
    const wide = fixed('all', '9', { items: 'all' });
    const group = fixed('group', '8', { partners: 'partner_group', items: 'all' });
    const listed = offerFromList({ id: 'listed', price: '7', discountPercent: null, minQuantity: '1' }, false);
    const partner = fixed('partner', '6', { partners: 'partner', items: 'all' });
    const offers = [wide, group, listed, partner];
    assert.equal(chosen(offers).offer?.id, 'partner');
    assert.equal(chosen([wide, group, listed]).offer?.id, 'listed');
    assert.equal(chosen([wide, group]).offer?.id, 'group');
    assert.equal(chosen([...offers, fixed('first', '20', { items: 'all', priority: 1 })]).offer?.id, 'first');
    const near = fixed('near', '5', { items: 'category', depth: 2 });
    const far = fixed('far', '5', { items: 'category', depth: 1 });
    assert.equal(chosen([far, near, wide]).offer?.id, 'near');
    const ten = fixed('ten', '4', { items: 'category', depth: 2, minQuantity: '10' });
    assert.equal(chosen([near, ten], { quantity: '10' }).offer?.id, 'ten');
    assert.equal(chosen([near, ten], { quantity: '9.999999' }).offer?.id, 'near');
  });

  it('begin with a price and add to it', () => {
    const price = (values: Partial<Offer>) =>
      offeredPrice(rule('a', values), { own: '10', cost: '6' }, '1', OWN_UNIT).price;
    assert.equal(price({ adjustmentPercent: '-12.5' }), '8.75');
    assert.equal(price({ basis: 'cost', adjustmentPercent: '33.3333', adjustmentAmount: '0.1' }), '8.099998');
    assert.equal(price({ basis: 'cost', adjustmentPercent: '33.3333', rounding: '0.05' }), '8');
    assert.equal(price({ adjustmentAmount: '-11' }), '0');
    const listPrices = [{ id: 'x', price: '5' as Decimal, discountPercent: null, minQuantity: '1' as Decimal }];
    assert.equal(price({ basis: 'price_list', listPrices, adjustmentPercent: '10' }), '5.5');
    assert.equal(price({ basis: 'price_list', listPrices: [], adjustmentPercent: '10' }), '11');
    const off = [{ id: 'x', price: null, discountPercent: '20' as Decimal, minQuantity: '1' as Decimal }];
    assert.equal(price({ basis: 'price_list', listPrices: off, adjustmentPercent: '10' }), '8.8');
  });

  it('of promotions apply only where they lower the price', () => {
    const standing = fixed('standing', '9', { partners: 'partner' });
    const promotion = (price: Decimal) => fixed(`promotion-${price}`, price, { promotional: true, items: 'all' });
    assert.equal(chosen([standing, promotion('9')]).offer?.id, 'standing');
    assert.equal(chosen([standing, promotion('8.99'), promotion('8')]).offer?.id, 'promotion-8');
    // 9.68 with 21 % of tax is 8.
    const withTax = fixed('with-tax', '9.68', { promotional: true, includesTax: true });
    assert.equal(chosen([standing, withTax, promotion('8.01')]).offer?.id, 'with-tax');
    const discounted = rule('half', { promotional: true, discountPercent: '50' });
    assert.deepEqual(chosen([standing, discounted]).offered, {
      price: '10',
      includesTax: false,
      discountPercent: '50',
    });
  });

  it('that combine come on top of what applies', () => {
    const extra = rule('extra', { combines: true, discountPercent: '5' });
    const { offer, combined } = chosen([extra, fixed('standing', '9')]);
    assert.deepEqual([offer?.id, combined?.id], ['standing', 'extra']);
    assert.deepEqual([chosen([extra]).offer, chosen([extra]).combined?.id], [null, 'extra']);
  });

  it('are explained in their order', () => {
    const offers = [
      fixed('partner', '9', { partners: 'partner' }),
      fixed('many', '7', { partners: 'partner', minQuantity: '10' }),
      fixed('everybody', '8'),
      fixed('sale', '5', { promotional: true, items: 'all' }),
      fixed('dear', '30', { promotional: true, items: 'all' }),
      rule('extra', { combines: true, discountPercent: '5', items: 'all' }),
    ];
    assert.deepEqual(
      explainOffers(question(offers)).map(({ offer, outcome }) => [offer?.id ?? 'own', outcome]),
      [
        ['many', 'quantity_not_reached'],
        ['partner', 'dearer_than_promotion'],
        ['everybody', 'comes_after'],
        ['dear', 'not_cheaper'],
        ['extra', 'combines'],
        ['sale', 'applies'],
        ['own', 'comes_after'],
      ],
    );
  });

  it('never cost more because of a promotion, and name one reason (property)', () => {
    const offer = fc.record({
      priority: fc.integer({ min: -1, max: 1 }),
      partners: fc.constantFrom(...PARTNER_SCOPES),
      items: fc.constantFrom(...ITEM_SCOPES),
      minQuantity: fc.integer({ min: 0, max: 3 }).map((count): Decimal => `${count}`),
      price: fc.integer({ min: 0, max: 20 }).map((count): Decimal => `${count}`),
      promotional: fc.boolean(),
      includesTax: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 8 }), fc.integer({ min: 1, max: 3 }), (values, quantity) => {
        const offers = values.map((each, index) => fixed(String(index), each.price, each));
        const asked = { quantity: `${quantity}` as Decimal };
        const net = ({ offered }: ReturnType<typeof chosen>) =>
          decimal(offered.price).div(offered.includesTax ? '1.21' : '1');
        const without = chosen(
          offers.filter(({ promotional }) => !promotional),
          asked,
        );
        const all = chosen(offers, asked);
        assert.ok(net(all).lte(net(without)));
        const applied = explainOffers(question(offers, asked)).filter(({ outcome }) => outcome === 'applies');
        assert.deepEqual(
          applied.map((each) => each.offer),
          [all.offer],
        );
      }),
    );
  });
});
