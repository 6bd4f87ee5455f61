/** Compares positions of the current budget with what is spent from them, and with what is ordered if the budget counts that. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { endOfMonth } from '../../../domain/days.ts';
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

/** The days from the beginning of a day's fiscal year to the end of its month. */
export async function spanOfControl(trx: Db, date: string): Promise<{ readonly from: string; readonly to: string }> {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  return { from: yearStart(fiscalYearStart, date), to: endOfMonth(date) };
}

/** Accounts of positions; no other counts in them. */
const WITHIN_SQL = `select a.id from accounts a where exists (
  select from unnest(:beginnings::text[]) beginning where starts_with(a.code, beginning))`;

interface Compared {
  /** A day; compared is the year until the end of its month. */
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
  const month = date.slice(0, 7);
  const exceeded = positions.flatMap((position) => {
    const key = positionKey(position);
    const own = sums.filter((one) => positionKey(one) === key && one.month.slice(0, 7) <= month);
    const budgeted = sum(own.map((one) => one.amount));
    const [spent, waiting] = [sumIn(actuals, key), sumIn(ordered, key)];
    if (spent.plus(waiting).lte(budgeted)) return [];
    return [{ account: position.account, has: budgeted.toFixed(), spent: spent.toFixed(), waiting: waiting.toFixed() }];
  });
  const [first] = exceeded;
  if (first === undefined) return [];
  const warnings = exceeded.map((one): BudgetWarning => {
    return { pointer: '/lines', code: 'budget_exceeded', message: warningAbout(budget, month, one) };
  });
  if (budget.control === 'warning') return warnings;
  throw new ServiceError('budget_exceeded', refusalBecause(budget, month, first), { errors: warnings });
}

function sumIn(sums: readonly ActualSum[], key: string) {
  return sum(sums.filter(({ position }) => positionKey(position) === key).map((one) => one.amount));
}

interface Exceeded {
  readonly account: string;
  readonly has: Decimal;
  readonly spent: Decimal;
  /** Ordered or received, and not entered yet. */
  readonly waiting: Decimal;
}

function warningAbout(
  { name, countCommitments }: ControllingBudget,
  month: string,
  { account, has, spent, waiting }: Exceeded,
): string {
  return countCommitments
    ? `exceed the budget ${name} of account ${account} until ${month}: ${has} budgeted, ${spent} spent and ${waiting} ordered`
    : `exceed the budget ${name} of account ${account} until ${month}: ${has} budgeted, ${spent} spent`;
}

function refusalBecause(
  { name, countCommitments }: ControllingBudget,
  month: string,
  { account, has, spent, waiting }: Exceeded,
): string {
  const costs = decimal(spent).plus(waiting).toFixed();
  return countCommitments
    ? `The budget ${name} of account ${account} has ${has} until ${month}, and ${costs} would be spent or ordered`
    : `The budget ${name} of account ${account} has ${has} until ${month}, and ${costs} would be spent`;
}
