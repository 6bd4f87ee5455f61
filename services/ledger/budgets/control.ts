/** Compares what is posted with the current budget, if that warns or refuses (decision 0335). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { endOfMonth } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { type BudgetControl, type Position, Positions, positionKey } from '../../../domain/ledger/budgets/positions.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { readActuals, readBudgetSums } from './read.ts';

/** A current budget that warns or refuses. */
export interface ControllingBudget {
  readonly id: string;
  readonly name: string;
  readonly control: Exclude<BudgetControl, 'none'>;
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
    `select id, name, control from budgets
     where is_default and control <> 'none' and fiscal_year = fiscal_year_of(:tenant::uuid, :date::date)`,
    { tenant: tenantId, date },
  );
  return found;
}

const SPENT_SQL = `select id, code from accounts where id = any(:ids::uuid[]) and type in ('expense', 'asset')`;

/** Accounts of positions; no other counts in them. */
const WITHIN_SQL = `select a.id from accounts a where exists (
  select from unnest(:beginnings::text[]) beginning where starts_with(a.code, beginning))`;

/**
 * Compares the positions that a written entry spends from with their budget, from the beginning of the year to the end of the month.
 * @param budget undefined if none controls the day
 * @returns warnings of positions that are exceeded
 * @throws ServiceError budget_exceeded if the budget refuses that
 */
export async function checkBudget(
  trx: Db,
  { tenantId }: Context,
  budget: ControllingBudget | undefined,
  { date, lines }: { readonly date: string; readonly lines: readonly EntryLine[] },
): Promise<BudgetWarning[]> {
  if (budget === undefined) return [];
  const spending = lines.filter(({ debit, credit }) => decimal(debit).gt(credit));
  const ids = spending.map(({ accountId }) => accountId);
  const accounts = await prepared<{ id: string; code: string }>(trx, SPENT_SQL, { ids });
  const codes = new Map(accounts.map(({ id, code }) => [id, code]));
  const sums = await readBudgetSums(trx, budget.id);
  const book = new Positions<Position>(sums);
  const touched = new Map<string, Position>();
  for (const { accountId, projectId = null, costCenterId = null } of spending) {
    const account = codes.get(accountId);
    const position = account === undefined ? undefined : book.find({ account, projectId, costCenterId });
    if (position !== undefined) touched.set(positionKey(position), position);
  }
  if (touched.size === 0) return [];
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const span = { from: yearStart(fiscalYearStart, date), to: endOfMonth(date) };
  const beginnings = [...new Set([...touched.values()].map(({ account }) => account))];
  const within = await prepared<{ id: string }>(trx, WITHIN_SQL, { beginnings });
  const accountIds = within.map(({ id }) => id);
  const actuals = await readActuals(trx, tenantId, { positions: sums, span, accountIds });
  const month = date.slice(0, 7);
  const exceeded = [...touched].flatMap(([key, { account }]) => {
    const own = sums.filter((one) => positionKey(one) === key && one.month.slice(0, 7) <= month);
    const budgeted = sum(own.map((one) => one.amount));
    const entered = actuals.filter(({ position }) => positionKey(position) === key);
    const spent = sum(entered.map((one) => one.amount));
    return spent.gt(budgeted) ? [{ account, has: budgeted.toFixed(), costs: spent.toFixed() }] : [];
  });
  const { name } = budget;
  const warnings = exceeded.map(({ account, has, costs }): BudgetWarning => {
    const message = `exceed the budget ${name} of account ${account} until ${month}: ${has} budgeted, ${costs} spent`;
    return { pointer: '/lines', code: 'budget_exceeded', message };
  });
  const [first] = exceeded;
  if (first === undefined || budget.control === 'warning') return warnings;
  const { account, has, costs } = first;
  throw new ServiceError(
    'budget_exceeded',
    `The budget ${name} of account ${account} has ${has} until ${month}, and ${costs} would be spent`,
    { errors: warnings },
  );
}
