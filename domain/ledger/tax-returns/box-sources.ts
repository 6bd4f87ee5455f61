/** The taxes behind the boxes of a return, so that each figure leads to its entries. */
import { type Decimal, decimal, sum } from '../../money.ts';
import { Boxes, compareBoxes } from './boxes.ts';
import type { TaxTotal } from './totals.ts';
import { taxedAs } from './vat.ts';

/** A tax in one box: whatever fills several boxes is a source of each. */
export interface BoxSource extends Pick<TaxTotal, 'kind' | 'operation' | 'use' | 'rectifying' | 'groupId' | 'rate'> {
  readonly box: string;
  /** Its part of the box. */
  readonly amount: Decimal;
  /** The value of the filter `taxedAs` of journal entries that finds its lines. */
  readonly taxedAs: string;
}

/**
 * Lists which taxes fill which boxes, by box. The sources of a box add up to it; boxes that are computed from others have none.
 * @param enter adds a tax to the boxes of the model that it fills
 */
export function boxSources(
  totals: readonly TaxTotal[],
  enter: (boxes: Boxes, total: TaxTotal) => unknown,
): BoxSource[] {
  const found = new Map<string, BoxSource>();
  for (const total of totals) {
    const { kind, operation, use, rectifying, groupId, rate } = total;
    const key = taxedAs(total);
    const boxes = new Boxes();
    enter(boxes, total);
    for (const [box, value] of Object.entries(boxes.filled())) {
      const amount = sum([found.get(`${box} ${key}`)?.amount ?? '0', value]).toFixed();
      found.set(`${box} ${key}`, {
        box,
        kind,
        operation,
        use,
        rectifying,
        groupId,
        rate: decimal(rate).toFixed(),
        amount,
        taxedAs: key,
      });
    }
  }
  return [...found.values()].toSorted((a, b) => compareBoxes(a.box, b.box) || (a.taxedAs < b.taxedAs ? -1 : 1));
}
