/** Compares positions of the current budget with what is spent from them, and with what is ordered if the budget counts that. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { dayBefore, yearAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type BudgetControl, type Position, positionKey } from '../../../domain/ledger/budgets/positions.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type CommittedSum, readCommitments } from './commitments.ts';
import { type ActualSum, type BudgetSum, readActuals } from './read.ts';

/** A current budget that warns or refuses. */
export interface ControllingBudget {
  readonly id: string;
  readonly name: string;
  readonly control: Exclude<BudgetControl, 'none'>;
  /** Whether it counts what is ordered or received and not entered yet, and is about purchase orders too. */
  readonly countCommitments: boolean;
}

export interface BudgetWarning {
  readonly pointer: string;
  readonly code: 'budget_exceeded';
  readonly message: string;
}

/** Finds the current budget of a day's fiscal year, if it warns or refuses: one look-up in an index, and nothing in most companies. */
export async function findControl(
  trx: Db,
  { tenantId }: Context,
  date: string,
): Promise<ControllingBudget | undefined> {
  const [found] = await prepared<ControllingBudget>(
    trx,
    `select id, name, control, count_commitments as "countCommitments" from budgets
     where is_default and control <> 'none' and fiscal_year = fiscal_year_of(:tenant::uuid, :date::date)`,
    { tenant: tenantId, date },
  );
  return found;
}

/** The days of a day's fiscal year. */
export async function spanOfControl(trx: Db, date: string): Promise<{ readonly from: string; readonly to: string }> {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const from = yearStart(fiscalYearStart, date);
  return { from, to: dayBefore(yearAfter(from)) };
}

/** Accounts of positions; no other counts in them. */
const WITHIN_SQL = `select a.id from accounts a where exists (
  select from unnest(:beginnings::text[]) beginning where starts_with(a.code, beginning))`;

interface Compared {
  /** A day; compared is the year until the end of its month, and of each month after it. */
  readonly date: string;
  /** All of the budget. */
  readonly sums: readonly BudgetSum[];
  /** The positions that are compared. */
  readonly positions: readonly Position[];
  /** As `readCommitments` returns them, if they are read already. */
  readonly commitments?: readonly CommittedSum[];
}

/**
 * Compares positions with their budget, after what touches them is written.
 * @returns warnings of positions that are exceeded
 * @throws ServiceError budget_exceeded if the budget refuses that
 */
export async function comparePositions(
  trx: Db,
  { tenantId }: Context,
  budget: ControllingBudget,
  { date, sums, positions, commitments }: Compared,
): Promise<BudgetWarning[]> {
  if (positions.length === 0) return [];
  const span = await spanOfControl(trx, date);
  const beginnings = [...new Set(positions.map(({ account }) => account))];
  const within = await prepared<{ id: string }>(trx, WITHIN_SQL, { beginnings });
  const accountIds = within.map(({ id }) => id);
  const [actuals, ordered] = await Promise.all([
    readActuals(trx, tenantId, { positions: sums, span, accountIds }),
    budget.countCommitments ? (commitments ?? readCommitments(trx, { positions: sums, span })) : [],
  ]);
  const exceeded = positions.flatMap((position) => {
    const of = (all: readonly (ActualSum | BudgetSum)[]) => inPosition(all, position);
    return firstExceeded(date.slice(0, 7), of(sums), of(actuals), of(ordered)).map((one) => ({
      account: position.account,
      ...one,
    }));
  });
  const [first] = exceeded;
  if (first === undefined) return [];
  const warnings = exceeded.map((one): BudgetWarning => {
    return { pointer: '/lines', code: 'budget_exceeded', message: warningAbout(budget, one) };
  });
  if (budget.control === 'warning') return warnings;
  throw new ServiceError('budget_exceeded', refusalBecause(budget, first), { errors: warnings });
}

/** An amount of a month in a position. */
type Monthly = Pick<BudgetSum, 'month' | 'amount'>;

function inPosition(sums: readonly (ActualSum | BudgetSum)[], position: Position): Monthly[] {
  const key = positionKey(position);
  return sums.filter((one) => positionKey('position' in one ? one.position : one) === key);
}

/** The first month, from a given one on, until whose end more is spent than budgeted: none, or one. */
function firstExceeded(
  from: string,
  budgeted: readonly Monthly[],
  spent: readonly Monthly[],
  waiting: readonly Monthly[],
): Omit<Exceeded, 'account'>[] {
  const months = [...budgeted, ...spent, ...waiting].map(({ month }) => month.slice(0, 7)).filter((one) => one > from);
  for (const month of [from, ...new Set(months.sort())]) {
    const until = (amounts: readonly Monthly[]) =>
      sum(amounts.filter((one) => one.month.slice(0, 7) <= month).map(({ amount }) => amount));
    const [has, costs, ordered] = [until(budgeted), until(spent), until(waiting)];
    if (costs.plus(ordered).gt(has))
      return [{ month, has: has.toFixed(), spent: costs.toFixed(), waiting: ordered.toFixed() }];
  }
  return [];
}

interface Exceeded {
  readonly account: string;
  /** Until whose end. */
  readonly month: string;
  readonly has: Decimal;
  readonly spent: Decimal;
  /** Ordered or received, and not entered yet. */
  readonly waiting: Decimal;
}

function warningAbout(
  { name, countCommitments }: ControllingBudget,
  { account, month, has, spent, waiting }: Exceeded,
): string {
  return countCommitments
    ? `exceed the budget ${name} of account ${account} until ${month}: ${has} budgeted, ${spent} spent and ${waiting} ordered`
    : `exceed the budget ${name} of account ${account} until ${month}: ${has} budgeted, ${spent} spent`;
}

function refusalBecause(
  { name, countCommitments }: ControllingBudget,
  { account, month, has, spent, waiting }: Exceeded,
): string {
  const costs = decimal(spent).plus(waiting).toFixed();
  const reason = countCommitments
    ? `The budget ${name} of account ${account} has ${has} until ${month}, and ${costs} would be spent or ordered`
    : `The budget ${name} of account ${account} has ${has} until ${month}, and ${costs} would be spent`;
  return `${reason}; ${WAY_OUT}`;
}

const WAY_OUT =
  'copy it (POST /api/budgets/{id}/copy), raise the copy and make it current (isDefault), or have it only warn (control)';
