/** The balance sheet at the end of a period, compared with the day before the period (decision 0172). */
import { Type } from 'typebox';
import { dayBefore } from '../../../domain/days.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { decimal } from '../../../domain/money.ts';
import { balanceSheet } from '../../../domain/reports/accounting/balance-sheet.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { amount, day, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { sectionTable } from '../engine/sections.ts';
import { HEADINGS, headingToJson } from './annual-accounts.ts';
import { BY, COLUMNS, checkColumns, columnsToJson, periodColumns } from './columns.ts';
import { openYearsPath } from './open-years.ts';
import { readSheets } from './sheets.ts';
import { stockWarnings } from './stock-warning.ts';

export const balanceSheetReport = defineReport({
  name: 'balance-sheet',
  title: { en: 'Balance sheet', es: 'Balance de situación' },
  description:
    'At the end of `to`, by the headings of the annual accounts that go with the chart (in Spain PGC PYMES), beside the day ' +
    'before `from`. ' +
    'A closed year is shown as before its closing. With `by`, also at the end of each month, quarter or year.',
  area: 'accounting',
  parameters: { ...RANGE, ...BY },
  ofDay: true,
  data: Type.Object({
    previous_to: day({ description: 'The day that it is compared with' }),
    columns: COLUMNS,
    sections: HEADINGS,
    result: Type.Object({
      from: day({ description: 'First day of the fiscal year' }),
      amount: amount({
        description:
          'Result of the fiscal year so far; part of its heading (in Spain A-1.VII) beside the account of the result',
      }),
      previous: amount(),
      drilldown: text({ max: 500 }),
    }),
    open_years: Type.Object(
      {
        amount: amount(),
        previous: amount(),
        drilldown: nullable(
          text({ max: 500, description: 'The profit and loss account of these years; null: there are none' }),
        ),
      },
      { description: 'Results of earlier fiscal years not closed; in their heading (in Spain A-1.V)' },
    ),
  }),
  summary: Type.Object({
    assets: amount(),
    equity_and_liabilities: amount(),
    result: amount(),
  }),
  check: checkColumns,
  async read(request) {
    const { reader, range, settings, accountChart, language, money } = request;
    const firstDay = (of: string): string => yearStart(settings.company.fiscalYearStart, of);
    const previousTo = dayBefore(range.from);
    const columns = periodColumns(request);
    const sheets = await readSheets(request, [range.to, previousTo, ...columns.map(({ to }) => to)]);
    const { result, earlier } = sheets;
    const [assets, liabilities] = balanceSheet(sheets, accountChart, language);
    const [yearResult = '0', previousResult = '0'] = result;
    const [openYears = '0', previousOpenYears = '0'] = earlier;
    const total = ({ amounts: [amount = '0'] }: typeof assets) => money(amount);
    const from = firstDay(range.to);
    return {
      data: {
        previous_to: previousTo,
        ...columnsToJson(columns, language),
        sections: [assets, liabilities].map((side) => headingToJson(side, { money, range })),
        result: {
          from,
          amount: money(yearResult),
          previous: money(previousResult),
          drilldown: `/api/reports/pl?from=${from}&to=${range.to}`,
        },
        open_years: {
          amount: money(openYears),
          previous: money(previousOpenYears),
          drilldown: decimal(openYears).eq(0) ? null : await openYearsPath(reader, dayBefore(from)),
        },
      },
      summary: {
        assets: total(assets),
        equity_and_liabilities: total(liabilities),
        result: money(yearResult),
      },
      warnings: await stockWarnings(reader, { settings, language }, range.to),
    };
  },
  file(view) {
    const { data, range, settings } = view;
    const { day } = formatsFor(settings.format, null);
    const on = (date: string): Texts => ({ en: day(date), es: day(date) });
    const titles = { amount: on(range.to), previous: on(data.previous_to) };
    const columns = periodColumns(view);
    const amounts = columns.length === 0 ? undefined : columns.map(({ to }) => on(to));
    // The last column is the day of the report.
    return { tables: [sectionTable({ sections: data.sections, titles, amounts, withoutTotal: true })] };
  },
});
