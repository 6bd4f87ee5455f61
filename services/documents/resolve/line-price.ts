import type { DocumentSide } from '../../../domain/documents/types.ts';
import { includedPercent, type VatRegime } from '../../../domain/documents/vat.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { quote, type UnitFactor } from '../../../domain/prices/quote.ts';
import type { PriceListReference } from '../../prices/list.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseLine, ItemReference, TaxReference } from './references.ts';

interface LineToPrice {
  readonly side: DocumentSide;
  readonly line: DocumentLineInput;
  readonly base: BaseLine | null;
  readonly item: ItemReference | undefined;
  readonly tax: TaxReference;
  readonly vatRegime: VatRegime;
  readonly unit: UnitFactor;
  readonly priceList: PriceListReference | null;
}

/**
 * The unit price of a line without tax, and its discount: the client's, else the base line's, else by the partner's price list, else the
 * item's. A discount from the client replaces the list's; a price from the client excludes it.
 */
export function linePrice(context: LineToPrice): { readonly price: Decimal; readonly discountPercent: Decimal } {
  const { line, base } = context;
  const price = line.price ?? base?.price;
  const discountPercent = line.discountPercent ?? base?.discountPercent;
  const quoted = price === undefined ? quotedPrice(context) : undefined;
  return {
    price: decimal(price ?? quoted?.price ?? 0).toFixed(),
    discountPercent: decimal(discountPercent ?? quoted?.discountPercent ?? 0).toFixed(),
  };
}

function quotedPrice({ side, line, item, tax, vatRegime, unit, priceList }: LineToPrice) {
  if (item === undefined) return undefined;
  return quote({
    prices: priceList?.prices.get(item.id) ?? [],
    includesTax: priceList?.includesTax ?? false,
    taxPercent: includedPercent(tax, vatRegime, side),
    itemPrice: side === 'sales' ? item.salePrice : item.purchasePrice,
    quantity: decimal(line.quantity).toFixed(),
    unit,
  });
}
