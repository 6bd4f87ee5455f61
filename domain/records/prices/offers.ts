/** Offers: what may set the price of an item for a partner, a price of their list or a price rule, and which of several counts. */
import { type Decimal, decimal, type Exact } from '../../money.ts';
import { bestPrice, type ListPrice, OWN_UNIT, type UnitFactor } from './list-prices.ts';

/** The price that an offer begins with: its own, the item's, the cost of the item, or that of a price list. */
export const PRICE_BASES = ['fixed', 'item', 'cost', 'price_list'] as const;
export type PriceBasis = (typeof PRICE_BASES)[number];

/** The partners and the items that offers are for; the narrower before the wider. */
export const PARTNER_SCOPES = ['partner', 'price_list', 'partner_group', 'all'] as const;
export const ITEM_SCOPES = ['item', 'category', 'all'] as const;

export interface Offer {
  readonly source: 'price_list' | 'price_rule';
  /** The id of the price or of the rule. */
  readonly id: string;
  /** The rule's name; null for a price of a list. */
  readonly name: string | null;
  readonly priority: number;
  readonly partners: (typeof PARTNER_SCOPES)[number];
  readonly items: (typeof ITEM_SCOPES)[number];
  /** Depth of the category in its tree; 0 for offers without one. */
  readonly depth: number;
  /** In the item's own unit. */
  readonly minQuantity: Decimal;
  readonly basis: PriceBasis;
  /** Per own unit; for the basis `fixed`. */
  readonly price: Decimal | null;
  /** Whether the price that it begins with includes tax, where that is its own or a fixed one of a list. */
  readonly includesTax: boolean;
  /** Prices of the item in the list that it begins with. */
  readonly listPrices: readonly ListPrice[];
  readonly adjustmentPercent: Decimal;
  readonly adjustmentAmount: Decimal;
  readonly rounding: Decimal | null;
  /** Shown by the line. */
  readonly discountPercent: Decimal;
  /** Whether it belongs to a promotion, which never makes anything dearer. */
  readonly promotional: boolean;
  /** Whether its discount is deducted from what others leave. */
  readonly combines: boolean;
}

/** A price of the partner's list, as an offer: between the rules for the partner and those for the partner's group. */
export function offerFromList(price: ListPrice, includesTax: boolean): Offer {
  return {
    source: 'price_list',
    id: price.id,
    name: null,
    priority: 0,
    partners: 'price_list',
    items: 'item',
    depth: 0,
    minQuantity: price.minQuantity,
    basis: price.price === null ? 'item' : 'fixed',
    price: price.price,
    includesTax,
    listPrices: [],
    adjustmentPercent: '0',
    adjustmentAmount: '0',
    rounding: null,
    discountPercent: price.discountPercent ?? '0',
    promotional: false,
    combines: false,
  };
}

/** Orders offers: by priority, then the narrower ones, then those from a greater quantity on. */
export function compareOffers(one: Offer, other: Offer): number {
  return (
    other.priority - one.priority ||
    PARTNER_SCOPES.indexOf(one.partners) - PARTNER_SCOPES.indexOf(other.partners) ||
    ITEM_SCOPES.indexOf(one.items) - ITEM_SCOPES.indexOf(other.items) ||
    other.depth - one.depth ||
    decimal(other.minQuantity).cmp(one.minQuantity) ||
    (one.id < other.id ? -1 : 1)
  );
}

/** Prices of an item that offers begin with, per own unit and without tax. */
export interface ItemPrices {
  /** The item's own. */
  readonly own: Decimal;
  /** Its present cost; null where no offer asks for it. */
  readonly cost: Decimal | null;
}

/** A price per own unit. */
export interface OfferedPrice {
  readonly price: Decimal;
  readonly includesTax: boolean;
  readonly discountPercent: Decimal;
}

/** The price that an offer makes, before the discount. @param quantity in `unit` */
export function offeredPrice(offer: Offer, prices: ItemPrices, quantity: Decimal, unit: UnitFactor): OfferedPrice {
  const begin = beginning(offer, prices, quantity, unit);
  const adjusted = decimal(begin.price)
    .times(decimal(100).plus(offer.adjustmentPercent))
    .times('0.01')
    .plus(offer.adjustmentAmount);
  const rounded = roundedTo(adjusted.lt(0) ? decimal(0) : adjusted, offer.rounding);
  return { price: rounded.toFixed(), includesTax: begin.includesTax, discountPercent: offer.discountPercent };
}

function beginning(offer: Offer, { own, cost }: ItemPrices, quantity: Decimal, unit: UnitFactor) {
  if (offer.basis === 'fixed') return { price: offer.price ?? '0', includesTax: offer.includesTax };
  if (offer.basis === 'cost') return { price: cost ?? '0', includesTax: false };
  const listed = offer.basis === 'price_list' ? bestPrice(offer.listPrices, quantity, unit) : undefined;
  if (listed === undefined) return { price: own, includesTax: false };
  if (listed.price !== null) return { price: listed.price, includesTax: offer.includesTax };
  const kept = decimal(100).minus(listed.discountPercent ?? 0);
  return { price: decimal(own).times(kept).times('0.01').toFixed(), includesTax: false };
}

/** Rounds to the nearest multiple, half up. */
function roundedTo(price: Exact, step: Decimal | null): Exact {
  return step === null ? price : price.div(step).round(0).times(step);
}

/** The outcome of an offer, as an explanation of the price tells it. */
export const OUTCOMES = [
  'applies',
  'combines',
  'quantity_not_reached',
  'comes_after',
  'not_cheaper',
  'dearer_than_promotion',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Considered {
  /** Null for the item's own price. */
  readonly offer: Offer | null;
  readonly offered: OfferedPrice;
  readonly outcome: Outcome;
}

export interface Choice {
  /** The offer that sets the price; null for the item's own price. */
  readonly offer: Offer | null;
  readonly offered: OfferedPrice;
  /** The offer whose discount is deducted from what is left. */
  readonly combined: Offer | null;
}

export interface OfferQuestion {
  /** In their order (`compareOffers`). */
  readonly offers: readonly Offer[];
  readonly prices: ItemPrices;
  /** The tax percentage that prices with tax include. */
  readonly taxPercent: Decimal;
  /** In `unit`; its sign does not matter. */
  readonly quantity: Decimal;
  readonly unit: UnitFactor;
}

/**
 * Chooses the price: the first offer in order whose quantity is reached, otherwise the item's own; a promotion instead of it where that
 * is lower; and the first offer that combines on top.
 */
export function chooseOffer(question: OfferQuestion): Choice {
  const { offers, prices, quantity, unit } = question;
  const reached = offers.filter((offer) => isReached(offer, quantity, unit));
  const first = reached.find((offer) => !offer.combines && !offer.promotional) ?? null;
  const make = (offer: Offer | null): OfferedPrice =>
    offer === null ? ownPrice(prices) : offeredPrice(offer, prices, quantity, unit);
  let [offer, offered] = [first, make(first)];
  for (const promotion of reached.filter((each) => each.promotional && !each.combines)) {
    const promised = make(promotion);
    if (!netPrice(promised, question).lt(netPrice(offered, question))) continue;
    [offer, offered] = [promotion, promised];
  }
  return { offer, offered, combined: reached.find(({ combines }) => combines) ?? null };
}

/** All offers in their order, then the item's own price, with what became of each. */
export function explainOffers(question: OfferQuestion): Considered[] {
  const { offers, prices, quantity, unit } = question;
  const chosen = chooseOffer(question);
  const outcome = (offer: Offer): Outcome => {
    if (offer === chosen.offer) return 'applies';
    if (offer === chosen.combined) return 'combines';
    if (!isReached(offer, quantity, unit)) return 'quantity_not_reached';
    if (offer.promotional && !offer.combines) return 'not_cheaper';
    const standing = chosen.offer?.promotional === true && !offer.combines;
    return standing && offer === firstStanding(question) ? 'dearer_than_promotion' : 'comes_after';
  };
  const own: Considered = {
    offer: null,
    offered: ownPrice(prices),
    outcome: chosen.offer === null ? 'applies' : 'comes_after',
  };
  return [
    ...offers.map((offer) => ({
      offer,
      offered: offeredPrice(offer, prices, quantity, unit),
      outcome: outcome(offer),
    })),
    own,
  ];
}

function firstStanding({ offers, quantity, unit }: OfferQuestion): Offer | undefined {
  return offers.find((offer) => !offer.combines && !offer.promotional && isReached(offer, quantity, unit));
}

function ownPrice({ own }: ItemPrices): OfferedPrice {
  return { price: own, includesTax: false, discountPercent: '0' };
}

/** Compares units without division. */
function isReached(offer: Offer, quantity: Decimal, { numerator, denominator }: UnitFactor = OWN_UNIT): boolean {
  return decimal(offer.minQuantity).times(denominator).lte(decimal(quantity).abs().times(numerator));
}

/** Computes what the buyer pays for one, without tax, after the discount. */
function netPrice({ price, includesTax, discountPercent }: OfferedPrice, { taxPercent }: OfferQuestion): Exact {
  const kept = decimal(price).times(decimal(100).minus(discountPercent));
  return includesTax ? kept.div(decimal(100).plus(taxPercent)) : kept.div(100);
}
