/** Actual against budget, by position and month, quarter or year (decision 0335). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { budgetVariance, countsIn, type Position, positionKey } from '../../../domain/ledger/budgets/positions.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { SPLIT_UNITS, spanName, splitSpan } from '../../../domain/reports/engine/periods.ts';
import { readCommitments } from '../../ledger/budgets/commitments.ts';
import { findBudget, readActuals, readBudgetSums, TYPE_OF_POSITION } from '../../ledger/budgets/read.ts';
import { amount, choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { dimensionQuery } from './dimension-filters.ts';

/** More parts than a fiscal year of months has are never needed. */
const MOST_PARTS = 13;

const ROW = Type.Object({
  account: text({ description: 'Code of an account, or the beginning of several' }),
  name: nullable(text({ max: 500, description: 'Name of the account; null for the beginning of several' })),
  project_name: nullable(text({ description: 'Name of the project; null for all that has no line of its own' })),
  cost_center_name: nullable(
    text({ description: 'Name of the cost center; null for all that has no line of its own' }),
  ),
  period: text({ description: 'The month, quarter or fiscal year; without `by`, the fiscal year' }),
  budget: amount({ description: 'Of whole months' }),
  actual: amount({ description: 'Of the days of the period' }),
  variance: amount({ description: 'Actual less budget' }),
  committed: amount({
    description: 'Ordered or received, and not entered yet, for whole months; not part of the variance',
  }),
  percent: nullable(percent({ description: 'Variance as a percentage of the budget; null without a budget' })),
  drilldown: text({ max: 500, description: 'The ledger of the account, or the balances of several' }),
});

const SUMMARY = {
  income_budget: amount(),
  income_actual: amount(),
  expense_budget: amount(),
  expense_actual: amount(),
  result_budget: amount(),
  result_actual: amount(),
  expense_committed: amount({ description: 'Expense that is ordered or received, and not entered yet' }),
};

interface Named extends Position {
  readonly accountId: string | null;
  readonly name: string | null;
  /** The type of its accounts, if it is one. */
  readonly type: string | null;
  readonly projectName: string | null;
  readonly costCenterName: string | null;
}

const NAMES_SQL = `
  select p.account, p.project_id as "projectId", p.cost_center_id as "costCenterId", own.id as "accountId", own.name, kinds.type,
    j.name as "projectName", c.name as "costCenterName"
  from (select distinct account, project_id, cost_center_id from budget_lines where budget_id = :budgetId::uuid) p
  left join accounts own on own.code = p.account and not own.is_heading
  left join projects j on j.id = p.project_id left join cost_centers c on c.id = p.cost_center_id
  cross join lateral (${TYPE_OF_POSITION}) kinds
  order by p.account, j.name nulls first, c.name nulls first`;

/** Accounts of income and expense: what counts in no position is shown by account, so that the results are those of the company. */
const OTHERS_SQL = `
  select code as account, null as "projectId", null as "costCenterId", id as "accountId", name, type, null as "projectName",
    null as "costCenterName"
  from accounts where not is_heading and type in ('income', 'expense') order by code`;

const PARAMETERS = {
  ...RANGE,
  by: Type.Optional(choice([...SPLIT_UNITS], { description: 'A row for each month, quarter or fiscal year' })),
  budget_id: Type.Optional(uuid({ description: 'By default the current budget of the fiscal year of `to`' })),
  project_id: Type.Optional(uuid({ description: 'Only lines of this project, and what is entered for it' })),
  cost_center_id: Type.Optional(uuid({ description: 'Only lines of this cost center, and what is entered for it' })),
};
type Request = ReportRequest<{
  readonly by?: (typeof SPLIT_UNITS)[number] | undefined;
  readonly budget_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly cost_center_id?: string | undefined;
}>;

export const budgetReport = defineReport({
  name: 'budget',
  title: { en: 'Actual against budget', es: 'Comparativa con el presupuesto' },
  description:
    'Each line of the ledger counts in the position with the longest beginning of its account, and with most of its dimensions; income ' +
    'and expense without a position have a row for each account, without a budget. ' +
    'Income is above zero as a credit, expense as a debit. Entries that close a year are left out.',
  area: 'accounting',
  parameters: PARAMETERS,
  data: Type.Object({
    budget_id: nullable(uuid({ description: 'null if the fiscal year has no current budget' })),
    budget_name: nullable(text()),
    fiscal_year: integer({ description: 'The calendar year in which its fiscal year begins' }),
    rows: Type.Array(ROW),
  }),
  summary: Type.Object(SUMMARY),
  check({ range, settings }) {
    const [first, last] = [range.from, range.to].map((day) => fiscalYear(settings.company.fiscalYearStart, day).year);
    if (first !== last) throw refusedParameter('from', `must be in the fiscal year of to, ${last}: a budget is of one`);
  },
  async read(request) {
    const { range, settings, money, language } = request;
    const start = settings.company.fiscalYearStart;
    const { year } = fiscalYear(start, range.to);
    const { budget_id: id } = request.params;
    const budget = await findBudget(request.reader, id === undefined ? { fiscalYear: year } : { id });
    const found = budget === undefined ? [] : await readFigures(request, budget.id);
    const unit = request.params.by ?? 'year';
    const of = (type: string, member: 'budget' | 'actual' | 'committed') =>
      sum(found.filter((row) => row.position.type === type).map((row) => row[member]));
    const totals = (member: 'budget' | 'actual') => {
      const [income, expense] = [of('income', member), of('expense', member)];
      return { income: income.toFixed(), expense: expense.toFixed(), result: income.minus(expense).toFixed() };
    };
    const [planned, real] = [totals('budget'), totals('actual')];
    return {
      data: {
        budget_id: budget?.id ?? null,
        budget_name: budget?.name ?? null,
        fiscal_year: budget?.fiscalYear ?? year,
        rows: found.map((row) => {
          const { variance, percent: share } = budgetVariance(row.budget, row.actual);
          const { account, accountId, name, projectName, costCenterName } = row.position;
          const days = `from=${row.from}&to=${row.to}${positionQuery(row.position, request.params)}`;
          return {
            account,
            name,
            project_name: projectName,
            cost_center_name: costCenterName,
            period: spanName(row.from, unit, start)[language],
            budget: money(row.budget),
            actual: money(row.actual),
            variance: money(variance),
            committed: money(row.committed),
            percent: share === null ? null : Number(share),
            drilldown:
              accountId === null
                ? `/api/reports/trial-balance?accounts=${account}&${days}`
                : `/api/reports/ledger?account_id=${accountId}&${days}`,
          };
        }),
      },
      summary: {
        income_budget: money(planned.income),
        income_actual: money(real.income),
        expense_budget: money(planned.expense),
        expense_actual: money(real.expense),
        result_budget: money(planned.result),
        result_actual: money(real.result),
        expense_committed: money(of('expense', 'committed').toFixed()),
      },
    };
  },
  file({ data: { budget_name: name, rows }, summary }) {
    const [en, es] = ['Actual against budget', 'Comparativa con el presupuesto'].map((title) =>
      name === null ? title : `${title}: ${name}`,
    ) as [string, string];
    const totals = { title: { en: 'Totals', es: 'Totales' }, row: Type.Object(SUMMARY), rows: [summary] };
    return { tables: [{ title: { en, es }, row: ROW, rows }, totals] };
  },
});

/** Parameters for what counts in a position, within the dimensions that are asked for. */
function positionQuery({ projectId, costCenterId }: Position, params: Request['params']): string {
  return dimensionQuery({
    project_id: projectId ?? params.project_id,
    cost_center_id: costCenterId ?? params.cost_center_id,
  });
}

/** The figures of each position in each part of the period, in order; parts without any are left out. */
async function readFigures({ reader, ctx, range, params, settings }: Request, budgetId: string) {
  const dimensions = { projectId: params.project_id, costCenterId: params.cost_center_id };
  const [sums, names, others] = await Promise.all([
    readBudgetSums(reader, budgetId, dimensions),
    query<Named>(reader, NAMES_SQL, { budgetId }),
    query<Named>(reader, OTHERS_SQL, {}),
  ]);
  // With a dimension, what is entered for it may still count in lines without one: these are not its own.
  const asked = { positions: names, others, span: range, dimensions };
  const [actuals, commitments] = await Promise.all([
    readActuals(reader, ctx.tenantId, asked),
    readCommitments(reader, asked),
  ]);
  const own = new Set(sums.map(positionKey));
  const named = new Set(names.map(positionKey));
  const shown = [
    ...names.filter((position) => own.has(positionKey(position))),
    ...others.filter((position) => !named.has(positionKey(position))),
  ].toSorted((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0));
  const parts = splitSpan(range, params.by ?? 'year', settings.company.fiscalYearStart, MOST_PARTS);
  const budgeted = groupBy(sums, positionKey);
  const entered = groupBy(actuals, ({ position }) => positionKey(position));
  const ordered = groupBy(commitments, ({ position }) => positionKey(position));
  return shown
    .flatMap((position) =>
      parts.map(({ from, to }) => {
        const key = positionKey(position);
        const within = (figures: readonly { readonly month: string; readonly amount: Decimal }[] = []) =>
          sum(figures.filter(({ month }) => countsIn(month, { from, to })).map((one) => one.amount)).toFixed();
        const [budget, actual] = [within(budgeted.get(key)), within(entered.get(key))];
        return { position, from, to, budget, actual, committed: within(ordered.get(key)) };
      }),
    )
    .filter(({ budget, actual, committed }) => [budget, actual, committed].some((one) => !decimal(one).eq(0)));
}
