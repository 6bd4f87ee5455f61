/** Model 190: the recipients of a year, with the sums of its 111 returns. */
import { sum } from '../../money.ts';
import { Boxes, type BoxValues } from './boxes.ts';
import { paidTo, type WithheldFrom } from './withheld.ts';

export const BOXES_190 = ['01', '02', '03'];
/** Boxes that contain a number of recipients. */
export const COUNTS_190: ReadonlySet<string> = new Set(['01']);

/** Computes the boxes: number of recipients, one record per key; payments in money and in kind; tax withheld. */
export function model190(recipients: readonly WithheldFrom[]): BoxValues {
  const boxes = new Boxes();
  const paid = paidTo(recipients);
  boxes.set('01', recipients.length);
  boxes.set('02', sum([paid.amount, paid.in_kind]));
  boxes.set('03', sum([paid.withheld, paid.in_kind_withheld]));
  return boxes.values(BOXES_190);
}
