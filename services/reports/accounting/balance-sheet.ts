/** The balance sheet at the end of a period, compared with the day before the period (decision 0172). */
import { Type } from 'typebox';
import { dayBefore } from '../../../domain/days.ts';
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { balanceSheet } from '../../../domain/reports/accounting/balance-sheet.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { amount, day, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { sectionTable } from '../engine/sections.ts';
import { comparedBalance, HEADINGS, headingToJson } from './annual-accounts.ts';
import { openYearsPath } from './open-years.ts';
import { stockWarnings } from './stock-warning.ts';

export const balanceSheetReport = defineReport({
  name: 'balance-sheet',
  title: { en: 'Balance sheet', es: 'Balance de situación' },
  description:
    'At the end of `to`, by the headings of the annual accounts (PGC PYMES), beside the day before `from`. ' +
    'A closed year is shown as before its closing.',
  area: 'accounting',
  parameters: RANGE,
  ofDay: true,
  data: Type.Object({
    previous_to: day({ description: 'The day that it is compared with' }),
    sections: HEADINGS,
    result: Type.Object({
      from: day({ description: 'First day of the fiscal year' }),
      amount: amount({ description: 'Result of the fiscal year so far; part of heading A-1.VII beside account 129' }),
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
      { description: 'Results of earlier fiscal years not closed; in heading A-1.V' },
    ),
  }),
  summary: Type.Object({
    assets: amount(),
    equity_and_liabilities: amount(),
    result: amount(),
  }),
  async read({ reader, ctx, range, settings, language, money }) {
    const { fiscalYearStart } = settings.company;
    const firstDay = (of: string): string => yearStart(fiscalYearStart, of);
    const previousTo = dayBefore(range.from);
    const yearSpan = (to: string): Span => ({ from: firstDay(to), to, kinds: 'normal' });
    const balances = await readBalances(reader, {
      tenantId: ctx.tenantId,
      spans: {
        now: { to: range.to, kinds: 'unclosed' },
        before: { to: previousTo, kinds: 'unclosed' },
        year: yearSpan(range.to),
        yearBefore: yearSpan(previousTo),
      },
    });
    const ofResult = balances.filter(isOfResult);
    const resultIn = (span: 'now' | 'before' | 'year' | 'yearBefore') =>
      sum(ofResult.map(({ sums }) => sums[span].balance)).neg();
    const result = { amount: resultIn('year').toFixed(), previous: resultIn('yearBefore').toFixed() };
    const accounts = balances
      .filter((balance) => !isOfResult(balance))
      .map((balance) => comparedBalance(balance, 'now', 'before'));
    const earlier = {
      amount: resultIn('now').minus(result.amount).toFixed(),
      previous: resultIn('before').minus(result.previous).toFixed(),
    };
    const [assets, liabilities] = balanceSheet({ accounts, result, earlier }, language);
    const from = firstDay(range.to);
    return {
      data: {
        previous_to: previousTo,
        sections: [assets, liabilities].map((side) => headingToJson(side, { money, range })),
        result: {
          from,
          amount: money(result.amount),
          previous: money(result.previous),
          drilldown: `/api/reports/pl?from=${from}&to=${range.to}`,
        },
        open_years: {
          amount: money(earlier.amount),
          previous: money(earlier.previous),
          drilldown: decimal(earlier.amount).eq(0) ? null : await openYearsPath(reader, dayBefore(from)),
        },
      },
      summary: {
        assets: money(assets.amount),
        equity_and_liabilities: money(liabilities.amount),
        result: money(result.amount),
      },
      warnings: await stockWarnings(reader, { settings, language }, range.to),
    };
  },
  file({ data, range, settings }) {
    const { day } = formatsFor(settings.format, null);
    const on = (date: string): Texts => ({ en: day(date), es: day(date) });
    const titles = { amount: on(range.to), previous: on(data.previous_to) };
    return { tables: [sectionTable({ sections: data.sections, titles })] };
  },
});
