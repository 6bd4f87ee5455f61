/** Model 190: the recipients of a year, whose sums are those of the models 111. */
import { sum } from '../money.ts';
import { Boxes, type BoxValues } from './boxes.ts';
import { paidTo, type WithheldFrom } from './withheld.ts';

export const BOXES_190 = ['01', '02', '03'];
/** The box that counts recipients. */
export const COUNTS_190: ReadonlySet<string> = new Set(['01']);

/** Recipients, a record for each key; what they were paid in money and in kind; what was withheld. */
export function model190(recipients: readonly WithheldFrom[]): BoxValues {
  const boxes = new Boxes();
  const paid = paidTo(recipients);
  boxes.set('01', recipients.length);
  boxes.set('02', sum([paid.amount, paid.in_kind]));
  boxes.set('03', sum([paid.withheld, paid.in_kind_withheld]));
  return boxes.values(BOXES_190);
}
