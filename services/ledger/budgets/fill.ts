/** Fills budgets: from other versions, from the ledger of another year, and from yearly amounts. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Budget, BudgetLine } from '../../../db/models/ledger/budgets.ts';
import { monthsAfter } from '../../../domain/days.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { budgetedAmount, type Position } from '../../../domain/ledger/budgets/positions.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, distribute, round } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { readBalances } from '../accounting/balances/read.ts';

type Line = Pick<BudgetLine, 'account' | 'projectId' | 'costCenterId' | 'month' | 'amount'>;

/** Members that identify a line. */
const KEY = ['budgetId', 'account', 'projectId', 'costCenterId', 'month'] as const;

/** Locks a budget. @throws ServiceError not_found */
async function lockBudget(trx: Db, id: string): Promise<Budget> {
  const budget = await Budget.query(trx).findById(id).forUpdate();
  if (budget === undefined) throw notFound('This budget');
  return budget;
}

/**
 * Locks a budget whose lines are about to change.
 * @throws ServiceError not_found; invalid_transition when it is approved
 */
export async function lockDraftBudget(trx: Db, id: string): Promise<Budget> {
  const budget = await lockBudget(trx, id);
  if (budget.status === 'draft') return budget;
  throw new ServiceError(
    'invalid_transition',
    `The lines of ${budget.name} cannot change because it is approved; copy it, or make it a draft again`,
  );
}

export interface BudgetCopy {
  readonly name: string;
  /** The same year when absent. */
  readonly fiscalYear?: number | undefined;
  /** By which its amounts are multiplied; 1 when absent. */
  readonly factor?: number | undefined;
}

/** Copies a budget with its lines, as a draft. @throws ServiceError not_found, duplicate (the name) */
export async function copyBudget(trx: Db, ctx: Context, id: string, copy: BudgetCopy): Promise<Budget> {
  const from = await lockBudget(trx, id);
  const { name, fiscalYear: year = from.fiscalYear, factor = 1 } = copy;
  const { decimalPrecision } = await loadSettings(trx, 'format');
  const lines = await BudgetLine.query(trx).where({ budget_id: id });
  const changes = new Changes(ctx);
  const budget = changes.create(Budget, {
    name,
    fiscalYear: year,
    status: 'draft',
    isDefault: false,
    control: from.control,
    countCommitments: from.countCommitments,
  });
  const copied = lines.map(
    (line): Line => ({
      ...positionIn(line),
      month: monthsAfter(line.month, 12 * (year - from.fiscalYear)),
      amount: round(decimal(line.amount).times(factor).toFixed(), decimalPrecision),
    }),
  );
  addMissing(changes, budget.id, copied);
  await changes.write(trx);
  return budget;
}

export interface BudgetFill {
  /** The year before when absent. */
  readonly fiscalYear?: number | undefined;
  /** Percentage added to its amounts. */
  readonly percent?: number | undefined;
}

/**
 * Adds a line for all income and expense that the ledger has in a fiscal year, by account, dimension and month. Lines that are there stay.
 * @throws ServiceError not_found, invalid_transition
 */
export async function fillBudget(
  trx: Db,
  ctx: Context,
  id: string,
  { fiscalYear: year, percent = 0 }: BudgetFill,
): Promise<Budget> {
  const budget = await lockDraftBudget(trx, id);
  const from = year ?? budget.fiscalYear - 1;
  const { decimalPrecision } = await loadSettings(trx, 'format');
  const months = await monthsOfYear(trx, from);
  const balances = await readBalances(trx, {
    tenantId: ctx.tenantId,
    spans: { earlier: { from: months[0]?.from, to: months.at(-1)?.to, kinds: 'normal' } },
    by: ['month', 'projectId', 'costCenterId'],
    types: RESULT_TYPES,
  });
  const factor = decimal(100).plus(percent).div(100);
  const lines = balances.map(
    ({ code, type, month, projectId, costCenterId, sums: { earlier } }): Line => ({
      account: code,
      projectId,
      costCenterId,
      month: monthsAfter(month, 12 * (budget.fiscalYear - from)),
      amount: round(factor.times(budgetedAmount(type, earlier.balance)).toFixed(), decimalPrecision),
    }),
  );
  const changes = new Changes(ctx);
  addMissing(
    changes,
    id,
    lines.filter(({ amount }) => !decimal(amount).eq(0)),
  );
  await changes.write(trx);
  return budget;
}

/**
 * Spreads the amount of a year over its months in equal parts; the rest of a division is in the first ones. Lines of the position change.
 * @throws ServiceError not_found, invalid_transition
 */
export async function spreadAmount(
  trx: Db,
  ctx: Context,
  id: string,
  position: Position,
  amount: Decimal,
): Promise<BudgetLine[]> {
  const budget = await lockDraftBudget(trx, id);
  const { decimalPrecision } = await loadSettings(trx, 'format');
  const months = await monthsOfYear(trx, budget.fiscalYear);
  const parts = distribute(
    amount,
    months.map(() => '1'),
    decimalPrecision,
  );
  const { account, projectId, costCenterId } = position;
  const found = await BudgetLine.query(trx).where({
    budget_id: id,
    account,
    project_id: projectId,
    cost_center_id: costCenterId,
  });
  const known = new Map(found.map((line) => [line.month, line]));
  const changes = new Changes(ctx);
  const lines = months.map(({ from }, index) => {
    const month = `${from.slice(0, 7)}-01`;
    const value = parts[index] ?? '0';
    const line = known.get(month);
    if (line === undefined) return changes.create(BudgetLine, { budgetId: id, ...position, month, amount: value });
    return changes.change(BudgetLine, line, { amount: value });
  });
  await changes.write(trx);
  return lines;
}

function positionIn({ account, projectId, costCenterId }: Position): Position {
  return { account, projectId, costCenterId };
}

function addMissing(changes: Changes, budgetId: string, lines: readonly Line[]): void {
  const rows = lines.map((line) => ({ budgetId, ...line }));
  if (rows.length > 0) changes.createMissing(BudgetLine, rows, KEY);
}

/** The months of the fiscal year that begins in a calendar year. */
export async function monthsOfYear(trx: Db, year: number) {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  return fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`).months;
}
