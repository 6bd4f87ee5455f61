/**
 * The book of inventories and annual accounts of a fiscal year (article 28 of the Código de Comercio, decision 0327). Its parts are those
 * reports themselves.
 */
import { Type } from 'typebox';
import { type Span as Days, fiscalYearSpan, spanName, splitSpan } from '../../../domain/reports/engine/periods.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount, day, nullable, text } from '../../platform/validation/schemas.ts';
import {
  defineReport,
  type Report,
  type ReportTable,
  type ReportView,
  type ReportWarning,
  type Values,
} from '../engine/declaration.ts';
import { buildFile } from '../engine/tables.ts';
import { balanceSheetReport } from './balance-sheet.ts';
import { cashFlowForm, cashFlowStatementReport } from './cash-flow-statement.ts';
import { equityChangesReport } from './equity-changes.ts';
import { FISCAL_YEAR, requestedYear, yearWarnings } from './fiscal-year.ts';
import { INVENTORY, inventoryTable, readInventories } from './inventory.ts';
import { profitAndLossReport } from './profit-and-loss.ts';
import { trialBalance } from './trial-balance.ts';

const TITLES = {
  beginning: { en: 'Opening balances', es: 'Balance inicial' },
  trialBalance: { en: 'Trial balance', es: 'Sumas y saldos' },
  inventory: { en: 'Closing inventory', es: 'Inventario de cierre' },
} as const satisfies Readonly<Record<string, Texts>>;
/** Shorter titles, for sheets. */
const SHEETS: Readonly<Record<string, Texts>> = {
  [equityChangesReport.name]: { en: 'Changes in equity', es: 'Cambios en el patrimonio neto' },
};
/** A fiscal year has four. */
const QUARTERS = 4;
const EIGHT_COLUMNS = { type: '8col' };

/** A report as a part of the book. */
interface Part extends Days {
  readonly data: Values;
  readonly summary: Values;
}

const partSchema = (report: Report) => ({
  from: day(),
  to: day(),
  data: Type.Unsafe<Values>(report.data),
  summary: Type.Unsafe<Values>(report.summary),
});

export const inventoriesAndAccounts = defineReport({
  name: 'inventories-and-accounts',
  title: { en: 'Book of inventories and annual accounts', es: 'Libro de inventarios y cuentas anuales' },
  description:
    'A fiscal year as the Código de Comercio (article 28) has it: opening balances, a trial balance of each quarter that has begun, the ' +
    'closing inventory and the annual accounts but their notes (memoria), which nobody can write from the ledger. The year need not be ' +
    'closed; the book is as before its closing.',
  area: 'accounting',
  parameters: FISCAL_YEAR,
  data: Type.Object({
    year: { ...YEAR, description: 'The calendar year in which the fiscal year begins' },
    opening_balances: {
      ...INVENTORY,
      description: 'Balances with which the year begins, with its opening entry',
    },
    trial_balances: Type.Array(
      Type.Object({ name: text({ description: 'The quarter' }), ...partSchema(trialBalance) }),
      { description: 'One for each quarter that has begun, in eight columns, as `trial-balance?type=8col`' },
    ),
    inventory: { ...INVENTORY, description: 'Balances at the end of the year, before its closing' },
    stock_drilldown: text({ max: 500, description: 'What the stock accounts consist of, item by item' }),
    balance_sheet: Type.Object(partSchema(balanceSheetReport), { description: 'As `balance-sheet`' }),
    pl: Type.Object(partSchema(profitAndLossReport), { description: 'As `pl`' }),
    equity_changes: Type.Object(partSchema(equityChangesReport), { description: 'As `equity-changes`' }),
    cash_flow_statement: nullable(
      Type.Object(partSchema(cashFlowStatementReport), {
        description: 'As `cash-flow-statement`; null for charts of countries that have no form of it',
      }),
    ),
  }),
  summary: Type.Object({
    assets: amount(),
    equity_and_liabilities: amount(),
    result: amount({ description: 'Result of the year' }),
  }),
  consistent: true,
  inParts: 'legal-books',
  async read(request) {
    const { range, settings, language, accountChart } = request;
    const start = settings.company.fiscalYearStart;
    const year = requestedYear(request);
    const days = fiscalYearSpan(year, start);
    const warnings: ReportWarning[] = await yearWarnings(request, days);
    const part = async (report: Report, span: Days, params: Values = {}): Promise<Part> => {
      const { data, summary, warnings: found = [] } = await report.read({ ...request, params, range: span });
      warnings.push(...found.filter(({ code }) => !warnings.some((known) => known.code === code)));
      return { ...span, data, summary };
    };
    const { beginning, end } = await readInventories(request, days);
    const trialBalances = [];
    for (const quarter of splitSpan(days, 'quarter', start, QUARTERS).filter(({ from }) => from <= range.to)) {
      const name = spanName(quarter.from, 'quarter', start)[language];
      trialBalances.push({ name, ...(await part(trialBalance, quarter, EIGHT_COLUMNS)) });
    }
    const balanceSheet = await part(balanceSheetReport, days);
    return {
      ...days,
      data: {
        year,
        opening_balances: beginning,
        trial_balances: trialBalances,
        inventory: end,
        stock_drilldown: `/api/reports/stock-valuation?to=${days.to}`,
        balance_sheet: balanceSheet,
        pl: await part(profitAndLossReport, days),
        equity_changes: await part(equityChangesReport, days, { year }),
        cash_flow_statement:
          cashFlowForm(accountChart) === undefined ? null : await part(cashFlowStatementReport, days),
      },
      summary: balanceSheet.summary as { assets: number; equity_and_liabilities: number; result: number },
      warnings,
    };
  },
  file(view) {
    const { data } = view;
    const { balance_sheet, pl, equity_changes, cash_flow_statement: cashFlow } = data;
    return {
      tables: [
        inventoryTable(data.opening_balances, TITLES.beginning),
        ...data.trial_balances.map(({ name, ...part }) =>
          partTable(view, trialBalance, part, {
            params: EIGHT_COLUMNS,
            title: { en: `${TITLES.trialBalance.en} ${name}`, es: `${TITLES.trialBalance.es} ${name}` },
          }),
        ),
        inventoryTable(data.inventory, TITLES.inventory),
        partTable(view, balanceSheetReport, balance_sheet),
        partTable(view, profitAndLossReport, pl),
        partTable(view, equityChangesReport, equity_changes),
        ...(cashFlow === null ? [] : [partTable(view, cashFlowStatementReport, cashFlow)]),
      ],
    };
  },
});

/** Builds the first table of a part, which is the statement itself. */
function partTable(
  view: ReportView<Values, unknown, unknown>,
  report: Report,
  { from, to, data, summary }: Part,
  { params = {}, title = report.title }: { readonly params?: Values; readonly title?: Texts } = {},
): ReportTable {
  const [table] = buildFile(report, { ...view, params, range: { from, to }, data, summary }).tables;
  if (table === undefined) throw new Error(`the report ${report.name} has no table`);
  return { ...table, title, sheet: SHEETS[report.name] };
}
