/** The accounting pages of model 200, the corporate tax return, in the boxes of the form (decision 0385). */
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import { type Headed, placeInBoxes, STATEMENTS_200 } from '../../../domain/ledger/tax-returns/model200.ts';
import { decimal } from '../../../domain/money.ts';
import { fiscalYearSpan } from '../../../domain/reports/engine/periods.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { amount, integer, text } from '../../platform/validation/schemas.ts';
import type { AnsweredHeading } from '../accounting/annual-accounts.ts';
import { balanceSheetReport } from '../accounting/balance-sheet.ts';
import { FISCAL_YEAR, requestedYear } from '../accounting/fiscal-year.ts';
import { profitAndLossReport } from '../accounting/profit-and-loss.ts';
import {
  defineReport,
  type Report,
  type ReportRequest,
  type ReportWarning,
  type Values,
} from '../engine/declaration.ts';
import { assertSpanish, BOXES } from './tax-model.ts';

const ROW = Type.Object({
  box: text({ description: 'Of the form, with five digits' }),
  page: integer({ description: 'Of the form' }),
  name: text({ max: 500 }),
  amount: amount(),
  drilldown: text({ max: 500, description: 'The statement with the accounts of the heading' }),
});
const UNPLACED = Type.Object({ name: text({ max: 500 }), amount: amount() });

export const model200Report = defineReport({
  name: 'tax/model200',
  title: { en: 'Model 200: accounting pages', es: 'Modelo 200: páginas de contabilidad' },
  description:
    'Balance sheet (pages 3 to 6) and profit and loss account (7 and 8) of a fiscal year in the boxes of the corporate tax return, by ' +
    'the headings of PGC PYMES. Income is positive and expense negative, as the form has them. The tax itself is computed on the form.',
  cents: true,
  area: 'accounting',
  parameters: FISCAL_YEAR,
  data: Type.Object({
    year: { ...YEAR, description: 'The calendar year in which the fiscal year begins' },
    boxes: BOXES,
    rows: Type.Array(ROW),
    unplaced: Type.Array(UNPLACED, { description: 'Headings without a box that have an amount; they are in the sums' }),
  }),
  summary: Type.Object({
    assets: amount({ description: 'Box 00180' }),
    equity_and_liabilities: amount({ description: 'Box 00252' }),
    result: amount({ description: 'Box 00500' }),
  }),
  consistent: true,
  check(request) {
    assertSpanish(request);
    if (request.accountChart.country === SPAIN) return;
    throw new ServiceError('invalid_transition', 'Model 200 needs a chart of accounts of Spain');
  },
  async read(request) {
    const year = requestedYear(request);
    const days = fiscalYearSpan(year, request.settings.company.fiscalYearStart);
    const sheet = await readStatement(request, balanceSheetReport, days);
    const account = await readStatement(request, profitAndLossReport, days);
    const [assets = [], liabilities = []] = sheet.sections.map((section) => [section]);
    const span = `from=${days.from}&to=${days.to}`;
    const placed = [
      { statement: STATEMENTS_200.ASSETS, of: assets, drilldown: `/api/reports/balance-sheet?${span}` },
      {
        statement: STATEMENTS_200.EQUITY_AND_LIABILITIES,
        of: liabilities,
        drilldown: `/api/reports/balance-sheet?${span}`,
      },
      { statement: STATEMENTS_200.PROFIT_AND_LOSS, of: account.sections, drilldown: `/api/reports/pl?${span}` },
    ].map(({ statement, of, drilldown }) => ({ ...placeInBoxes(statement, of.map(toHeaded)), drilldown }));
    const rows = placed.flatMap(({ rows: found, drilldown }) =>
      found.map((row) => ({ ...row, amount: Number(row.amount), drilldown })),
    );
    const boxes = Object.fromEntries(rows.map(({ box, amount: value }) => [box, value]));
    const unplaced = placed.flatMap((each) => each.unplaced.map((one) => ({ ...one, amount: Number(one.amount) })));
    return {
      ...days,
      data: { year, boxes, rows, unplaced },
      summary: {
        assets: boxes['00180'] ?? 0,
        equity_and_liabilities: boxes['00252'] ?? 0,
        result: boxes['00500'] ?? 0,
      },
      warnings: sheet.warnings,
    };
  },
  file: ({ data }) => ({ tables: [{ row: ROW, rows: data.rows }] }),
});

interface Read {
  readonly sections: readonly AnsweredHeading[];
  readonly warnings: readonly ReportWarning[];
}

async function readStatement(
  request: ReportRequest<Values>,
  report: Report,
  range: ReportRequest['range'],
): Promise<Read> {
  const { data, warnings = [] } = await report.read({ ...request, params: {}, range });
  return { sections: data.sections as readonly AnsweredHeading[], warnings };
}

function toHeaded({ code, name, amount: value, children }: AnsweredHeading): Headed {
  return { code, name, amount: decimal(value).toFixed(), children: children.map(toHeaded) };
}
