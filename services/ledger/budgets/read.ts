/** Reads budgets, and what the ledger has in their positions. */
import type { Reader } from '../../../db/database.ts';
import { Budget } from '../../../db/models/ledger/budgets.ts';
import { prepared } from '../../../db/sql.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import {
  type BudgetStatus,
  budgetedAmount,
  type Position,
  Positions,
  positionKey,
} from '../../../domain/ledger/budgets/positions.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { readBalances, type Span } from '../accounting/balances/read.ts';

/** A budget without its lines. */
export interface BudgetHead {
  readonly id: string;
  readonly name: string;
  readonly fiscalYear: number;
  readonly status: BudgetStatus;
}

/** A budgeted amount of a month. */
export interface BudgetSum extends Position {
  /** First day of the month. */
  readonly month: string;
  readonly amount: Decimal;
}

/** Dimensions to which figures are limited. */
export interface Dimensions {
  readonly projectId?: string | undefined;
  readonly costCenterId?: string | undefined;
}

/** The budget of an id, or the current one of a fiscal year; undefined if there is none. */
export async function findBudget(
  reader: Reader,
  wanted: { readonly id: string } | { readonly fiscalYear: number },
): Promise<BudgetHead | undefined> {
  const { id = null, fiscalYear = null } = wanted as { readonly id?: string; readonly fiscalYear?: number };
  const [found] = await prepared<BudgetHead>(
    reader,
    `select id, name, fiscal_year as "fiscalYear", status from ${Budget.tableName}
     where case when :id::uuid is null then fiscal_year = :fiscalYear::integer and is_default else id = :id::uuid end`,
    { id, fiscalYear },
  );
  return found;
}

/** SQL of the type of the accounts of a position `p`, null if they have several, and of whether any is income or expense. */
export const TYPE_OF_POSITION = `select case when min(a.type) = max(a.type) then min(a.type) end as type,
    coalesce(bool_or(a.type in ('income', 'expense')), false) as "ofResult"
    from accounts a where a.code like p.account || '%'`;

const ACCOUNTS_SQL = `select p.account, own.id as "accountId", own.name, kinds.type, kinds."ofResult"
  from (select distinct account from budget_lines where budget_id = :budgetId::uuid) p
  left join accounts own on own.code = p.account and not own.is_heading
  cross join lateral (${TYPE_OF_POSITION}) kinds
  order by p.account`;

/** An account that a budget names, or the beginning of several. */
export interface BudgetedAccount {
  /** Its code, or the beginning of several. */
  readonly account: string;
  /** null for the beginning of several. */
  readonly accountId: string | null;
  readonly name: string | null;
  /** null for the beginning of accounts of several types. */
  readonly type: AccountType | null;
  /** Whether any of its accounts is one of income or expense. */
  readonly ofResult: boolean;
}

/** Reads the accounts of a budget, by code. */
export async function readBudgetedAccounts(reader: Reader, budgetId: string): Promise<BudgetedAccount[]> {
  return await prepared<BudgetedAccount>(reader, ACCOUNTS_SQL, { budgetId });
}

const SUMS_SQL = `select account, project_id as "projectId", cost_center_id as "costCenterId", month, amount::text
  from budget_lines where budget_id = :budgetId::uuid
    and (:projectId::uuid is null or project_id = :projectId::uuid)
    and (:costCenterId::uuid is null or cost_center_id = :costCenterId::uuid)
  order by account, project_id nulls first, cost_center_id nulls first, month`;

/** Reads the amounts of a budget by account (or the beginning of its code), dimension and month. */
export async function readBudgetSums(
  reader: Reader,
  budgetId: string,
  { projectId, costCenterId }: Dimensions = {},
): Promise<BudgetSum[]> {
  const bindings = { budgetId, projectId: projectId ?? null, costCenterId: costCenterId ?? null };
  return await prepared<BudgetSum>(reader, SUMS_SQL, bindings);
}

/** The sum of the ledger in a position and month. */
export interface ActualSum {
  readonly position: Position;
  readonly month: string;
  readonly amount: Decimal;
}

/**
 * Sums the ledger by the positions of a budget and by month: each line counts once. Entries that close a year are left out.
 * @param positions those of the budget
 */
export async function readActuals(
  reader: Reader,
  tenantId: string,
  {
    positions,
    others,
    span,
    accountIds,
    dimensions = {},
  }: {
    readonly positions: readonly Position[];
    /** Where lines count that are in none of these. */
    readonly others?: readonly Position[] | undefined;
    readonly span: Span;
    /** Only these accounts. */
    readonly accountIds?: readonly string[];
    readonly dimensions?: Dimensions;
  },
): Promise<ActualSum[]> {
  const book = new Positions(positions, others);
  const balances = await readBalances(reader, {
    tenantId,
    spans: { actual: { ...span, kinds: 'normal' } },
    by: ['month', 'projectId', 'costCenterId'],
    accountIds,
    ...dimensions,
  });
  const sums = new Map<string, ActualSum>();
  for (const {
    code,
    type,
    month,
    projectId,
    costCenterId,
    sums: { actual },
  } of balances) {
    const position = book.find({ account: code, projectId, costCenterId });
    if (position === undefined) continue;
    const key = `${positionKey(position)} ${month}`;
    const before = sums.get(key)?.amount ?? '0';
    const amount = decimal(before).plus(budgetedAmount(type, actual.balance)).toFixed();
    sums.set(key, { position, month, amount });
  }
  return [...sums.values()];
}
