/** The trial balance: each account's movements in a period, and its balance at the end. */
import { Type } from 'typebox';
import { dayBefore } from '../../../domain/days.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import {
  type Columns as Amounts,
  accountColumns,
  type Column,
  EIGHT,
  openYearsColumns,
  PLAIN,
  type SpanName,
} from '../../../domain/reports/accounting/trial-balance.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { amount, choice, flag, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { CLOSING_ENTRIES, LEDGER_TITLES } from './ledger-parts.ts';
import { OPEN_YEARS, openYearsPath } from './open-years.ts';

type Columns = typeof PLAIN | typeof EIGHT;

const AMOUNTS = Object.fromEntries([...PLAIN, ...EIGHT].map((name) => [name, Type.Optional(amount())])) as Record<
  Column,
  ReturnType<typeof Type.Optional<ReturnType<typeof amount>>>
>;
const ROW = Type.Object({
  account_id: nullable(uuid({ description: 'null for the results of years not closed, which are on no account yet' })),
  code: text(),
  name: text(),
  open_years: flag({ description: 'Whether it is the line of the results of years not closed' }),
  ...AMOUNTS,
  drilldown: text({ max: 500 }),
});

const chosenColumns = (type: 'plain' | '8col' | undefined): Columns => (type === '8col' ? EIGHT : PLAIN);

export const trialBalance = defineReport({
  name: 'trial-balance',
  title: { en: 'Trial balance', es: 'Balance de sumas y saldos' },
  description:
    'Accounts with a balance or anything entered in the period. The opening entry of the first day is part of the opening balance. ' +
    'Income and expense begin each fiscal year at zero; the results of years not closed are one line (129, `open_years`).',
  area: 'accounting',
  parameters: {
    ...RANGE,
    type: Type.Optional(
      choice(['plain', '8col'], {
        default: 'plain',
        description:
          'plain: debit and credit of the period, and the balance; 8col: the official form of eight columns: opening balances, the ' +
          'period, the year to date, and balances',
      }),
    ),
    ...CLOSING_ENTRIES,
  },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(AMOUNTS),
  async read({ reader, ctx, params, range: { from, to }, settings, language, money }) {
    const { fiscalYearStart } = settings.company;
    const [firstYear, year] = [yearStart(fiscalYearStart, from), yearStart(fiscalYearStart, to)];
    const kinds = params.closing_entries === true ? 'all' : 'unclosed';
    const spans: Record<SpanName, Span> = {
      before: { before: from },
      opening: { from, to: from, kinds: 'opening' },
      period: { from, to, kinds },
      beforeFirstYear: { before: firstYear },
      beforeYear: { before: year },
      yearOpening: { from: year, to, kinds: 'opening' },
      year: { from: year, to, kinds },
    };
    const accounts = await readBalances(reader, { tenantId: ctx.tenantId, spans });
    const columns = chosenColumns(params.type);
    const query = `from=${from}&to=${to}${params.closing_entries === true ? '&closing_entries=true' : ''}`;
    const isShown = ({ amounts }: { readonly amounts: Amounts }) =>
      columns.some((name) => !decimal(amounts[name]).eq(0));
    const shown = accounts
      .map((account) => ({ ...account, open_years: false, amounts: accountColumns(account) }))
      .filter(isShown)
      .map((row) => ({ ...row, drilldown: `/api/reports/ledger?account_id=${row.accountId}&${query}` }));
    const left = {
      ...OPEN_YEARS,
      name: OPEN_YEARS.name[language],
      accountId: null,
      amounts: openYearsColumns(accounts),
    };
    const openYears = isShown(left) ? [{ ...left, drilldown: await openYearsPath(reader, dayBefore(year)) }] : [];
    const place = shown.filter(({ code }) => code <= left.code).length;
    const rows = [...shown.slice(0, place), ...openYears, ...shown.slice(place)];
    const pick = (of: (name: Column) => Decimal) => Object.fromEntries(columns.map((name) => [name, money(of(name))]));
    return {
      data: {
        rows: rows.map(({ accountId, code, name, open_years, amounts, drilldown }) => ({
          account_id: accountId,
          code,
          name,
          open_years,
          ...pick((column) => amounts[column]),
          drilldown,
        })),
      },
      summary: pick((column) => sum(rows.map(({ amounts }) => amounts[column])).toFixed()),
    };
  },
  file: ({ params, data, summary }) => ({
    tables: [
      {
        row: ROW,
        columns: ['code', 'name', ...chosenColumns(params.type)],
        titles: TITLES,
        rows: data.rows,
        totals: summary,
      },
    ],
  }),
});

const TITLES = {
  ...LEDGER_TITLES,
  opening_debit: { en: 'Opening debit', es: 'Saldo inicial deudor' },
  opening_credit: { en: 'Opening credit', es: 'Saldo inicial acreedor' },
  period_debit: { en: 'Debit of the period', es: 'Debe del periodo' },
  period_credit: { en: 'Credit of the period', es: 'Haber del periodo' },
  total_debit: { en: 'Year to date, debit', es: 'Suma debe' },
  total_credit: { en: 'Year to date, credit', es: 'Suma haber' },
  balance_debit: { en: 'Balance, debit', es: 'Saldo deudor' },
  balance_credit: { en: 'Balance, credit', es: 'Saldo acreedor' },
} as const;
