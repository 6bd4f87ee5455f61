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
 * price is a rebate for goods that stay. A line without item is one on all lines, in proportion to what they cost; but not one that takes
 * back a line without item, which is in no goods' cost, nor what is charged again for it.
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
    const back = sum([...taken, ...charged].map(({ baseQuantity }) => baseQuantity));
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
    if (isOnAllLines(line, lines)) changes.push(...onAllLines(line, rectified));
  }
  return changes;
}

/** Decimals of values. */
const VALUE_PLACES = 6;

/** What a line says of a quantity of goods. */
type Part = Pick<InvoicedLine, 'id' | 'baseQuantity' | 'cost'>;

/**
 * The lines that take back an item at its price, with what charges it again: once for each line of the rectified invoice. What is charged
 * replaces the lines of its item in their order, of each as much as was taken back; more than that replaces nothing.
 */
function exchanges(lines: readonly InvoicedLine[], rectified: readonly InvoicedLine[]) {
  const open = lines.filter(
    (line) => line.baseLineId === null && line.itemId !== null && decimal(line.baseQuantity).gt(0),
  );
  const used = new Map<string, Decimal>();
  return rectified.flatMap((base) => {
    const taken = lines.filter((line) => line.baseLineId === base.id && hasPriceOf(line, base));
    if (taken.length === 0 || decimal(base.baseQuantity).eq(0)) return [];
    let missing = sum(taken.map(({ baseQuantity }) => baseQuantity)).neg();
    const charged: Part[] = [];
    for (const line of open) {
      const before = used.get(line.id) ?? '0';
      const left = decimal(line.baseQuantity).minus(before);
      const quantity = (left.lt(missing) ? left : missing).toFixed();
      if (line.itemId !== base.itemId || decimal(quantity).lte(0)) continue;
      const after = decimal(before).plus(quantity).toFixed();
      charged.push({ id: line.id, baseQuantity: quantity, cost: costOfPart(line, before, after) });
      used.set(line.id, after);
      missing = missing.minus(quantity);
    }
    return [{ base, taken, charged }];
  });
}

/** What a line costs from one quantity of it to another, so that all its parts add up. */
function costOfPart({ cost, baseQuantity }: InvoicedLine, from: Decimal, to: Decimal): Decimal {
  const upTo = (quantity: Decimal) => round(decimal(cost).times(quantity).div(baseQuantity), VALUE_PLACES);
  return decimal(upTo(to)).minus(upTo(from)).toFixed();
}

/** Whether a line without item changes the price of all lines: it neither takes back one without item nor is charged instead of one. */
function isOnAllLines({ itemId, baseLineId, cost }: InvoicedLine, lines: readonly InvoicedLine[]): boolean {
  if (itemId !== null || baseLineId !== null) return false;
  return decimal(cost).lt(0) || lines.every((line) => line.itemId !== null || line.baseLineId === null);
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
