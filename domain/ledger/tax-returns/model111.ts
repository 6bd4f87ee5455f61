/** Model 111: income tax withheld from wages and professionals in a quarter or month, to be paid. */
import { decimal } from '../../money.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';
import { isWork, sumPart, type WithheldFrom } from './withheld.ts';

/** Boxes by kind of income: recipients, amount, withheld. The books know only the first two kinds. */
const KINDS = [
  ['01', '02', '03'],
  ['04', '05', '06'],
  ['07', '08', '09'],
  ['10', '11', '12'],
  ['13', '14', '15'],
  ['16', '17', '18'],
  ['19', '20', '21'],
  ['22', '23', '24'],
  ['25', '26', '27'],
] as const;

export const BOXES_111: readonly string[] = [...KINDS.flat(), '28', '29', '30'];
/** Boxes that contain a number of recipients. */
export const COUNTS_111: ReadonlySet<string> = new Set(KINDS.map(([recipients]) => recipients));

/** Books may not know them, such as prizes; only sums follow from the others. */
export const STATABLE_111: ReadonlySet<string> = new Set([...KINDS.flat(), '29']);

/** Computes the boxes; 28 is the total withheld, 30 the amount to pay. */
export function model111(recipients: readonly WithheldFrom[], overrides: Overrides = {}): BoxValues {
  const boxes = new Boxes();
  const work = recipients.filter(({ key }) => isWork(key));
  const activities = recipients.filter(({ key }) => !isWork(key));
  const fill = (index: number, of: readonly WithheldFrom[], part: 'cash' | 'inKind') => {
    const [count, amount, withheld] = KINDS[index] as (typeof KINDS)[number];
    const paid = of.filter(({ [part]: each }) => !decimal(each.amount).eq(0) || !decimal(each.withheld).eq(0));
    boxes.set(count, new Set(paid.map(({ employeeId, partnerId }) => employeeId ?? partnerId)).size);
    boxes.set(amount, sumPart(of, part, 'amount'));
    boxes.set(withheld, sumPart(of, part, 'withheld'));
  };
  fill(0, work, 'cash');
  fill(1, work, 'inKind');
  fill(2, activities, 'cash');
  boxes.override(overrides);
  boxes.set('28', boxes.sum(KINDS.map(([, , withheld]) => withheld)));
  boxes.set('30', boxes.get('28').minus(boxes.get('29')));
  return boxes.values(BOXES_111);
}
