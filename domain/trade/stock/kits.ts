/** Kits: items that are sold as their components (decision 0318). */
import { type Decimal, decimal, round } from '../../money.ts';

/** A component, with its quantity in one kit; both in their own units. */
export interface KitComponent {
  readonly itemId: string;
  readonly quantity: Decimal;
}

/** The parts of a line that concern its goods; quantities are in the item's own unit. */
interface GoodsLine {
  readonly itemId: string | null;
  readonly baseQuantity: Decimal;
  /** Null for all but kits. */
  readonly components: readonly KitComponent[] | null;
}

/** Decimals of stock quantities. */
const PLACES = 6;

/** The quantity of a component in so many kits. */
export function componentQuantity(kits: Decimal, { quantity }: Pick<KitComponent, 'quantity'>): Decimal {
  return round(decimal(kits).times(quantity), PLACES);
}

/** The goods of lines: each itself, or a line for each component of a kit, which name no batches; with the index of their line. */
export function goodsOnLines<L extends GoodsLine>(lines: readonly L[]): (L & { readonly index: number })[] {
  return lines.flatMap((line, index) => {
    const { components } = line;
    if (components === null) return [{ ...line, index }];
    return components.map((component) => ({
      ...line,
      index,
      itemId: component.itemId,
      baseQuantity: componentQuantity(line.baseQuantity, component),
      batchDetails: null,
      zoneId: null,
    }));
  });
}
