/** A budget beside the profit and loss account: further columns of its headings and accounts (decision 0360). */
import { Type } from 'typebox';
import { refusedParameter } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { budgetedAmount, countsIn } from '../../../domain/ledger/budgets/positions.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import type { AccountBalance } from '../../../domain/reports/accounting/headings.ts';
import { type BudgetHead, findBudget, readBudgetedAccounts, readBudgetSums } from '../../ledger/budgets/read.ts';
import { uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest, ReportWarning } from '../engine/declaration.ts';
import { type PeriodColumn, periodColumns } from './columns.ts';
import { type DimensionParams, dimensionLimits, type Unit } from './dimension-filters.ts';

export const BUDGETED = {
  budget_id: Type.Optional(
    uuid({ description: 'Adds this budget, the variance from it and its percentage to each heading and account' }),
  ),
};

type Asked = ReportRequest<
  DimensionParams & { readonly by?: Unit | undefined; readonly budget_id?: string | undefined }
>;

/** @throws ServiceError invalid_parameter for columns that budgets do not have */
export function checkBudgeted({ params: { by, budget_id: budget } }: Pick<Asked, 'params'>): void {
  if (budget === undefined || (by !== 'cost_center' && by !== 'project')) return;
  throw refusedParameter('by', 'must be month, quarter or year with budget_id');
}

/** A budget in the columns of a report. */
export interface BudgetColumns {
  readonly head: BudgetHead;
  /** The number of its columns: one of the period, and one for each further column of a period. */
  readonly width: number;
  /** Accounts, and beginnings of several, with an amount for each column, signed as balances are: debit less credit. */
  readonly accounts: readonly AccountBalance[];
  readonly warnings: readonly ReportWarning[];
}

/** Reads the budget of income and expense that a request names; undefined if it names none. */
export async function readBudgetColumns(request: Asked): Promise<BudgetColumns | undefined> {
  const { reader, params, range, language } = request;
  const { budget_id: id } = params;
  const head = id === undefined ? undefined : await findBudget(reader, { id });
  if (head === undefined) return undefined;
  const [named, sums] = await Promise.all([
    readBudgetedAccounts(reader, head.id),
    readBudgetSums(reader, head.id, dimensionLimits(params)),
  ]);
  const spans: Pick<PeriodColumn, 'from' | 'to'>[] = [range, ...periodColumns(request)];
  const byAccount = groupBy(sums, ({ account }) => account);
  const accounts = named.flatMap(({ account, accountId, name, type, ofResult }): AccountBalance[] => {
    if (type === null || !ofResult) return [];
    const own = byAccount.get(account) ?? [];
    const amounts = spans.map((span) => {
      const within = own.filter(({ month }) => countsIn(month, span)).map(({ amount }) => amount);
      return budgetedAmount(type, sum(within).toFixed());
    });
    const isBeginning = accountId === null;
    return [{ id: accountId ?? `${account}…`, code: account, name: name ?? account, type, amounts, isBeginning }];
  });
  const mixed = named.filter(({ account, type, ofResult }) => type === null && ofResult && byAccount.has(account));
  return { head, width: spans.length, accounts, warnings: mixed.map(({ account }) => mixedTypes(account, language)) };
}

/** A position of accounts of several types is neither income nor expense. */
function mixedTypes(account: string, language: Asked['language']): ReportWarning {
  const message = {
    en: `The budget for ${account} is left out because its accounts are of several types; budget for longer beginnings.`,
    es: `El presupuesto de ${account} no se incluye porque sus cuentas son de varios tipos; presupueste códigos más largos.`,
  };
  return { code: 'budget_of_several_types', message: message[language] };
}

/** Adds the columns of a budget, the last ones, to accounts; accounts that only the budget has come after the others. */
export function withBudget(
  accounts: readonly AccountBalance[],
  budget: BudgetColumns,
  columns: number,
): AccountBalance[] {
  const none = (count: number) => Array.from({ length: count }, (): Decimal => '0');
  const budgets = new Map(budget.accounts.map((account) => [account.id, account.amounts]));
  const known = new Set(accounts.map(({ id }) => id));
  return [
    ...accounts.map((account) => ({
      ...account,
      amounts: [...account.amounts, ...(budgets.get(account.id) ?? none(budget.width))],
    })),
    ...budget.accounts
      .filter(({ id }) => !known.has(id))
      .map((account) => ({ ...account, amounts: [...none(columns), ...account.amounts] })),
  ];
}
