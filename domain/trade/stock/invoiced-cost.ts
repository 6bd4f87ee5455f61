/** Cost differences of received goods: between their receipt and its invoice, and by invoices that rectify prices. */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { keptPart, type LineDiscounts } from '../documents/discounts.ts';

/** A line of a purchase invoice. */
export interface InvoicedLine extends LineDiscounts {
  readonly id: string;
  readonly itemId: string | null;
  /** In the item's own unit. */
  readonly baseQuantity: Decimal;
  readonly price: Decimal;
  /** Cost of the line: its amount and the VAT that is not deducted. */
  readonly cost: Decimal;
  /** The line that this one invoices or rectifies. */
  readonly baseLineId: string | null;
}

/** A change of the cost of the goods of an invoiced line. */
export interface LineCostChange {
  /** The rectified line; for an ordinary invoice, its own line. */
  readonly ofLineId: string;
  /** The line that causes the change; null for one without item. */
  readonly byLineId: string | null;
  readonly value: Decimal;
}

/**
 * Computes how much more an invoiced line costs than its goods did on receipt.
 * @param unitCost of the goods, in the item's own unit
 */
export function invoicedCostDifference({ cost, baseQuantity }: InvoicedLine, unitCost: Decimal): Decimal {
  return decimal(cost)
    .minus(round(decimal(baseQuantity).times(unitCost), VALUE_PLACES))
    .toFixed();
}

/**
 * Computes how a rectifying invoice changes the cost of goods that stay.
 *
 * A line that takes back a quantity at its original price changes no cost: its goods have left, or will leave, at their
 * cost. Lines that charge the same item again replace that quantity at another price. A line at another price is a
 * rebate for goods that stay. A line without item is a rebate on all lines, in proportion to their cost, unless it
 * takes back a line without item, which is in no goods' cost, or charges that again.
 * @param rectified the lines of the rectified invoice
 * @param goodsBack whether lines that take back a quantity move goods
 */
export function rectifiedCostChanges(
  lines: readonly InvoicedLine[],
  rectified: readonly InvoicedLine[],
  goodsBack: boolean,
): LineCostChange[] {
  const byId = new Map(rectified.map((line) => [line.id, line]));
  const changes: LineCostChange[] = [];
  for (const { base, taken, charged } of exchanges(lines, rectified)) {
    const back = sum([...taken, ...charged].map(({ baseQuantity }) => baseQuantity));
    const amounts = sum([...taken, ...charged].map(({ cost }) => cost));
    const value = amounts.minus(round(back.times(decimal(base.cost).div(base.baseQuantity)), VALUE_PLACES));
    const [by] = charged;
    if (by) changes.push({ ofLineId: base.id, byLineId: by.id, value: value.toFixed() });
  }
  for (const line of lines) {
    const base = byId.get(line.baseLineId ?? '');
    if (base && !goodsBack && !hasSamePrice(line, base)) {
      changes.push({ ofLineId: base.id, byLineId: line.id, value: line.cost });
    }
    if (appliesToAllLines(line, lines)) changes.push(...spreadOverLines(line, rectified));
  }
  return changes;
}

/** Decimals of values. */
const VALUE_PLACES = 6;

/** A quantity of goods and its cost. */
type Part = Pick<InvoicedLine, 'id' | 'baseQuantity' | 'cost'>;

/**
 * Pairs the lines that take back an item at its price with the lines that charge it again, once for each line of the
 * rectified invoice. New charges replace lines of the same item in order, each up to the quantity taken back; any
 * excess replaces nothing.
 */
function exchanges(lines: readonly InvoicedLine[], rectified: readonly InvoicedLine[]) {
  const open = lines.filter(
    (line) => line.baseLineId === null && line.itemId !== null && decimal(line.baseQuantity).gt(0),
  );
  const used = new Map<string, Decimal>();
  return rectified.flatMap((base) => {
    const taken = lines.filter((line) => line.baseLineId === base.id && hasSamePrice(line, base));
    if (taken.length === 0 || decimal(base.baseQuantity).eq(0)) return [];
    let missing = sum(taken.map(({ baseQuantity }) => baseQuantity)).neg();
    const charged: Part[] = [];
    for (const line of open) {
      const before = used.get(line.id) ?? '0';
      const left = decimal(line.baseQuantity).minus(before);
      const quantity = (left.lt(missing) ? left : missing).toFixed();
      if (line.itemId !== base.itemId || decimal(quantity).lte(0)) continue;
      const after = decimal(before).plus(quantity).toFixed();
      charged.push({ id: line.id, baseQuantity: quantity, cost: partialCost(line, before, after) });
      used.set(line.id, after);
      missing = missing.minus(quantity);
    }
    return [{ base, taken, charged }];
  });
}

/** The cost of a line between two quantities of it, rounded so that all parts add up. */
function partialCost({ cost, baseQuantity }: InvoicedLine, from: Decimal, to: Decimal): Decimal {
  const upTo = (quantity: Decimal) => round(decimal(cost).times(quantity).div(baseQuantity), VALUE_PLACES);
  return decimal(upTo(to)).minus(upTo(from)).toFixed();
}

/**
 * Whether a line without item changes the price of all lines: it neither takes back another line without item nor
 * replaces one.
 */
function appliesToAllLines({ itemId, baseLineId, cost }: InvoicedLine, lines: readonly InvoicedLine[]): boolean {
  if (itemId !== null || baseLineId !== null) return false;
  return decimal(cost).lt(0) || lines.every((line) => line.itemId !== null || line.baseLineId === null);
}

function hasSamePrice(line: InvoicedLine, base: InvoicedLine): boolean {
  return decimal(line.price).eq(base.price) && keptPart(line).eq(keptPart(base));
}

function spreadOverLines({ cost }: InvoicedLine, rectified: readonly InvoicedLine[]): LineCostChange[] {
  const whole = sum(rectified.map((line) => line.cost));
  if (whole.eq(0)) return [];
  return rectified.map((line) => {
    const value = round(decimal(cost).times(line.cost).div(whole), VALUE_PLACES);
    return { ofLineId: line.id, byLineId: null, value };
  });
}
