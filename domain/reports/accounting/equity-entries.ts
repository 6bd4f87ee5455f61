/** Changes of an entry in equity, and their reason: told by its accounts (decision 0361). */
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import type { Movement } from './equity-rows.ts';
import type { EquityColumns } from './forms/form.ts';

/** A line of an entry. */
export interface EntryLine {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** debit − credit */
  readonly balance: Decimal;
  /** Code of its column; null if it is no account of equity. */
  readonly column: string | null;
}

/** A change of a column; more equity is positive. */
export interface ClassifiedLine extends Omit<EntryLine, 'balance' | 'column'> {
  readonly column: string;
  readonly movement: Movement;
  readonly amount: Decimal;
}

/**
 * Classifies the changes of an entry. Accounts of recognised income and expense are just that. If the entry changes capital, all else in
 * it belongs to that. What it moves within equity, such as a distributed result, is another change; what comes to equity or leaves it is
 * of partners if it is theirs or they are paid, and else an adjustment: results of earlier years change for no other reason.
 */
export function classify(
  lines: readonly EntryLine[],
  { capital, partners, recognised, paidTo }: EquityColumns,
): ClassifiedLine[] {
  const changes = lines.flatMap(({ balance, column, ...account }) =>
    column === null ? [] : [{ ...account, column, amount: decimal(balance).neg().toFixed() }],
  );
  const isIn = (columns: readonly string[]) => (change: { readonly column: string }) => columns.includes(change.column);
  const own = changes.filter((change) => !isIn(recognised)(change));
  const classified: ClassifiedLine[] = changes
    .filter(isIn(recognised))
    .map((change) => ({ ...change, movement: 'recognised' }));
  const ofCapital = sum(own.filter(isIn(capital)).map(({ amount }) => amount));
  if (!ofCapital.eq(0)) {
    const movement = ofCapital.gt(0) ? 'capital_increase' : 'capital_reduction';
    return [...classified, ...own.map((change) => ({ ...change, movement }) as const)];
  }
  const isPaid = lines.some(({ code, column }) => column === null && paidTo.some((prefix) => code.startsWith(prefix)));
  const reason = isPaid || own.some(isIn(partners)) ? 'other_partners' : 'adjustments';
  let left: Exact = sum(own.map(({ amount }) => amount));
  for (const change of own) {
    const part = towards(left, decimal(change.amount));
    left = decimal(left.minus(part));
    const rest = decimal(change.amount).minus(part);
    if (!part.eq(0)) classified.push({ ...change, movement: reason, amount: part.toFixed() });
    if (!rest.eq(0)) classified.push({ ...change, movement: 'other', amount: rest.toFixed() });
  }
  return classified;
}

/** As much of a change as goes in the direction of a sum, and not beyond it. */
function towards(whole: Exact, change: Exact): Exact {
  if (whole.s !== change.s) return decimal(0);
  return whole.abs().lt(change.abs()) ? whole : change;
}
