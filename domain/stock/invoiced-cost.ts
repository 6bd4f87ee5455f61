/** How much more goods cost than their receipt said: by their invoice, and by what rectifies its prices. */
import { type Decimal, decimal, round, sum } from '../money.ts';

/** A line of a purchase invoice. */
export interface InvoicedLine {
  readonly id: string;
  readonly itemId: string | null;
  /** In the item's own unit. */
  readonly baseQuantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  /** What it costs: its amount and the VAT on it that is not deducted. */
  readonly cost: Decimal;
  /** The line that it invoices or rectifies. */
  readonly baseLineId: string | null;
}

/** What changes the cost of the goods of an invoiced line. */
export interface LineCostChange {
  /** The line that is rectified; of an ordinary invoice, the invoice's own. */
  readonly ofLineId: string;
  /** The line that says so; null for one without item. */
  readonly byLineId: string | null;
  readonly value: Decimal;
}

/** What an invoiced line costs more than its goods did when they came. @param unitCost of the goods, in the item's own unit */
export function invoicedMore({ cost, baseQuantity }: InvoicedLine, unitCost: Decimal): Decimal {
  return decimal(cost)
    .minus(round(decimal(baseQuantity).times(unitCost), VALUE_PLACES))
    .toFixed();
}

/**
 * What a rectifying invoice changes of the cost of goods that stay. A line that takes back a quantity at its price changes no price: its
 * goods have left, or will leave, at their cost. What is charged again of that quantity replaces it at another price. A line of another
 * price is a rebate for goods that stay. A line without item is one on all lines, in proportion to what they cost.
 * @param rectified the lines of the rectified invoice
 * @param goodsBack whether lines that take back a quantity move goods
 */
export function rectifiedMore(
  lines: readonly InvoicedLine[],
  rectified: readonly InvoicedLine[],
  goodsBack: boolean,
): LineCostChange[] {
  const byId = new Map(rectified.map((line) => [line.id, line]));
  const changes: LineCostChange[] = [];
  for (const { base, taken, charged } of exchanges(lines, rectified)) {
    // Of what is charged again, no more than was taken back.
    const back = sum(taken.map(({ baseQuantity }) => baseQuantity)).plus(sum(charged.map((line) => line.baseQuantity)));
    const amounts = sum([...taken, ...charged].map(({ cost }) => cost));
    const value = amounts.minus(round(back.times(decimal(base.cost).div(base.baseQuantity)), VALUE_PLACES));
    const [by] = charged;
    if (by) changes.push({ ofLineId: base.id, byLineId: by.id, value: value.toFixed() });
  }
  for (const line of lines) {
    const base = byId.get(line.baseLineId ?? '');
    if (base && !goodsBack && !hasPriceOf(line, base)) {
      changes.push({ ofLineId: base.id, byLineId: line.id, value: line.cost });
    }
    if (line.itemId === null) changes.push(...onAllLines(line, rectified));
  }
  return changes;
}

/** Decimals of values. */
const VALUE_PLACES = 6;

/** The lines that take back an item at its price, with those that charge it again: once for each line of the rectified invoice. */
function exchanges(lines: readonly InvoicedLine[], rectified: readonly InvoicedLine[]) {
  const open = new Set(lines.filter(({ baseLineId, itemId }) => baseLineId === null && itemId !== null));
  return rectified.flatMap((base) => {
    const taken = lines.filter((line) => line.baseLineId === base.id && hasPriceOf(line, base));
    const charged = [...open].filter(({ itemId }) => itemId === base.itemId);
    if (taken.length === 0 || decimal(base.baseQuantity).eq(0)) return [];
    for (const line of charged) open.delete(line);
    return [{ base, taken, charged }];
  });
}

function hasPriceOf(line: InvoicedLine, base: InvoicedLine): boolean {
  return decimal(line.price).eq(base.price) && decimal(line.discountPercent).eq(base.discountPercent);
}

function onAllLines({ cost }: InvoicedLine, rectified: readonly InvoicedLine[]): LineCostChange[] {
  const whole = sum(rectified.map((line) => line.cost));
  if (whole.eq(0)) return [];
  return rectified.map((line) => {
    const value = round(decimal(cost).times(line.cost).div(whole), VALUE_PLACES);
    return { ofLineId: line.id, byLineId: null, value };
  });
}
