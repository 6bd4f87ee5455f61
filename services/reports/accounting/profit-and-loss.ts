/** The profit and loss account, compared with the same period a year earlier (decision 0172). */
import { Type } from 'typebox';
import { yearEarlier } from '../../../domain/days.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { expenseCategories, profitAndLoss } from '../../../domain/reports/accounting/profit-and-loss.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { amount, day, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { sectionTable } from '../engine/sections.ts';
import { accountToJson, BUDGETED_HEADINGS, headingAccount, headingToJson } from './annual-accounts.ts';
import { BUDGETED, checkBudgeted, readBudgetColumns, withBudget } from './budgeted.ts';
import {
  AMOUNTS,
  COLUMNS,
  checkColumns,
  columnNames,
  columnSpans,
  columnsToJson,
  columnTitles,
  periodColumns,
} from './columns.ts';
import {
  BY_PERIOD_OR_DIMENSION,
  DIMENSION_FILTERS,
  dimensionLimits,
  dimensionQuery,
  readDimensionColumns,
} from './dimension-filters.ts';
import { stockWarnings } from './stock-warning.ts';

const CATEGORY = Type.Object({
  account_id: uuid(),
  account_code: text(),
  name: text({ max: 500 }),
  amount: amount({ description: 'Expense; negative if refunds exceed it' }),
  previous: amount(),
  amounts: AMOUNTS,
  drilldown: text({ max: 500 }),
});

const TITLES = { previous: { en: 'A year earlier', es: 'Un año antes' } };
const TOTAL = { amount: { en: 'Total', es: 'Total' } };

export const profitAndLossReport = defineReport({
  name: 'pl',
  title: { en: 'Profit and loss account', es: 'Cuenta de pérdidas y ganancias' },
  description:
    'By the headings of the annual accounts that go with the chart (in Spain PGC PYMES), beside the same period a year earlier. ' +
    'The entries that close a year are left out.',
  area: 'accounting',
  parameters: { ...RANGE, ...BY_PERIOD_OR_DIMENSION, ...DIMENSION_FILTERS, ...BUDGETED },
  data: Type.Object({
    previous_from: day(),
    previous_to: day(),
    columns: COLUMNS,
    budget_name: Type.Optional(text({ description: 'With `budget_id`' })),
    sections: BUDGETED_HEADINGS,
    categories: Type.Array(CATEGORY),
  }),
  summary: Type.Object({
    income: amount(),
    expense: amount(),
    result: amount(),
    previous_result: amount(),
    result_budget: Type.Optional(amount({ description: 'With `budget_id`' })),
  }),
  check(request) {
    checkColumns(request);
    checkBudgeted(request);
  },
  async read(request) {
    const { reader, ctx, params, range, settings, accountChart, language, money } = request;
    const columns = periodColumns(request);
    const names = ['now', 'before', ...columnNames('column', columns)] as const;
    const earlier = { from: yearEarlier(range.from), to: yearEarlier(range.to) };
    const spans: Record<(typeof names)[number], Span> = {
      now: { ...range, kinds: 'normal' },
      before: { ...earlier, kinds: 'normal' },
      ...columnSpans('column', columns, ({ from, to }) => ({ from, to, kinds: 'normal' })),
    };
    const limits = { types: RESULT_TYPES, ...dimensionLimits(params) };
    const balances = await readBalances(reader, { tenantId: ctx.tenantId, spans, ...limits });
    const [bearers, budget] = await Promise.all([readDimensionColumns(request, 'normal'), readBudgetColumns(request)]);
    const accounts = balances.map((balance) => {
      const account = headingAccount(balance, names);
      return { ...account, amounts: [...account.amounts, ...bearers.amounts(account.id)] };
    });
    const width = names.length + bearers.columns.length;
    const budgeted = budget?.width ?? 0;
    const shownAccounts = budget === undefined ? accounts : withBudget(accounts, budget, width);
    const sections = profitAndLoss(shownAccounts, width + budgeted, accountChart, language);
    const spent = (type: 'income' | 'expense') =>
      sum(balances.filter((account) => account.type === type).map(({ sums }) => sums.now.balance));
    const results = sections.at(-1)?.amounts ?? [];
    const [result = '0', previousResult = '0'] = results;
    const shown = { money, range, query: dimensionQuery(params) };
    return {
      data: {
        previous_from: earlier.from,
        previous_to: earlier.to,
        ...columnsToJson(columns, language, bearers.columns),
        ...(budget === undefined ? {} : { budget_name: budget.head.name }),
        sections: sections.map((section) => headingToJson(section, { ...shown, budgeted })),
        categories: expenseCategories(accounts).map((account) => {
          const { code: account_code, ...category } = accountToJson(account, shown);
          return { account_code, ...category };
        }),
      },
      summary: {
        income: money(decimal(spent('income')).neg().toFixed()),
        expense: money(spent('expense').toFixed()),
        result: money(result),
        previous_result: money(previousResult),
        ...(budget === undefined ? {} : { result_budget: money(results[width] ?? '0') }),
      },
      warnings: [...(await stockWarnings(reader, { settings, language }, range.to)), ...(budget?.warnings ?? [])],
    };
  },
  file(view) {
    const { data, summary, money } = view;
    const columns = columnTitles(data.columns);
    const further = columns.length === 0 ? undefined : columns;
    return {
      tables: [
        sectionTable({
          sections: data.sections,
          titles: further ? TOTAL : TITLES,
          amounts: further,
          budgeted: data.budget_name !== undefined,
        }),
        {
          title: { en: 'Expenses by category', es: 'Gastos por categoría' },
          row: CATEGORY,
          titles: TITLES,
          rows: data.categories,
          totals: { amount: summary.expense, previous: money(sum(data.categories.map(earlier)).toFixed()) },
        },
      ],
    };
  },
});

function earlier({ previous }: { readonly previous: number }): Decimal {
  return decimal(previous).toFixed();
}
