import type { Db } from '../../../db/database.ts';
import { BudgetLine } from '../../../db/models/ledger/budgets.ts';
import { query } from '../../../db/sql.ts';
import { endOfMonth } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { lockDraftBudget, monthsOfYear } from '../../ledger/budgets/fill.ts';
import { amount, day, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** The code of an account, or its beginning. */
export const BUDGET_ACCOUNT = text({
  max: 12,
  pattern: '^[0-9]{1,12}$',
  description: 'Code of an account, or the beginning of several: 62',
});

/** Lines of budgets (decision 0335). */
export const budgetLines = declareResource({
  name: 'BudgetLine',
  plural: 'BudgetLines',
  path: '/api/budget-lines',
  tag: 'Accounting',
  model: BudgetLine,
  defaultSort: 'account',
  naturalKey: ['budgetId', 'account', 'projectId', 'costCenterId', 'month'],
  problems: ['invalid_transition', 'not_found'],
  fields: {
    budgetId: { schema: uuid(), required: true, write: 'create', reference: { table: 'budgets' } },
    account: { schema: BUDGET_ACCOUNT, required: true, searchable: true },
    projectId: {
      schema: uuid({ description: 'null for everything that has no line of its own' }),
      reference: { table: 'projects' },
    },
    costCenterId: {
      schema: uuid({ description: 'null for everything that has no line of its own' }),
      reference: { table: 'cost_centers' },
    },
    month: { schema: day({ description: 'Any day of the month; its first is kept' }), required: true },
    amount: {
      schema: amount({ description: "Income, or expense, in the company's currency; usually above zero" }),
      required: true,
    },
  },
  async onCreate({ trx }, values) {
    return await checkLine(trx, String(values.budgetId), values);
  },
  async onPatch({ trx }, values, current) {
    return await checkLine(trx, current.budgetId, values);
  },
  async onDelete({ trx }, { budgetId }) {
    await lockDraftBudget(trx, budgetId);
  },
});

/** @throws ServiceError not_found, invalid_transition; validation_failed for a month of another year, or no such account */
async function checkLine<Values extends Readonly<Record<string, unknown>>>(trx: Db, budgetId: string, values: Values) {
  const budget = await lockDraftBudget(trx, budgetId);
  const { account, month } = values;
  if (account !== undefined) await assertAccounts(trx, String(account));
  if (month === undefined) return values;
  const months = await monthsOfYear(trx, budget.fiscalYear);
  const last = endOfMonth(String(month));
  if (!months.some(({ from, to }) => from <= last && String(month).slice(0, 7) <= to.slice(0, 7))) {
    const words = `must be in the fiscal year ${budget.fiscalYear} of the budget`;
    throw invalidMember('/month', 'out_of_range', words);
  }
  return { ...values, month: `${String(month).slice(0, 7)}-01` };
}

/** @throws ServiceError validation_failed when no account begins with these digits */
export async function assertAccounts(trx: Db, account: string): Promise<void> {
  const [found] = await query(trx, `select 1 from accounts where code like :account || '%' limit 1`, { account });
  if (found !== undefined) return;
  throw invalidMember('/account', 'invalid_reference', 'must be the code of an account, or the beginning of one');
}
