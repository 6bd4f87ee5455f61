/** The trial balance: each account's movements in a period, and its balance at the end. */
import { Type } from 'typebox';
import { dayBefore } from '../../../domain/days.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import {
  type Column,
  EIGHT,
  movementColumns,
  PLAIN,
  withoutOpening,
} from '../../../domain/reports/accounting/trial-balance.ts';
import { columnMember, columnMembers } from '../../../domain/reports/engine/sections.ts';
import { amount, choice, flag, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { AMOUNTS, COLUMNS, checkColumns, columnsToJson, columnTitles, periodColumns } from './columns.ts';
import {
  BY_PERIOD_OR_DIMENSION,
  DIMENSION_FILTERS,
  dimensionQuery,
  readDimensionColumns,
} from './dimension-filters.ts';
import { ACCOUNTS, BALANCE_TITLES, CLOSING_ENTRIES, LEDGER_TITLES } from './ledger-parts.ts';
import { OPEN_YEARS, openYearsPath } from './open-years.ts';
import { readTrialBalance } from './trial-balance-lines.ts';

type Columns = typeof PLAIN | typeof EIGHT;

const SUMS = Object.fromEntries([...PLAIN, ...EIGHT].map((name) => [name, Type.Optional(amount())])) as Record<
  Column,
  ReturnType<typeof Type.Optional<ReturnType<typeof amount>>>
>;
const ROW = Type.Object({
  account_id: nullable(uuid({ description: 'null for the results of years not closed, and with `level`' })),
  code: text(),
  name: text(),
  open_years: flag({ description: 'Whether it is the line of the results of years not closed' }),
  ...SUMS,
  amounts: AMOUNTS,
  drilldown: text({ max: 500 }),
});

const chosenColumns = (type: 'plain' | '8col' | undefined): Columns => (type === '8col' ? EIGHT : PLAIN);

export const trialBalance = defineReport({
  name: 'trial-balance',
  title: { en: 'Trial balance', es: 'Balance de sumas y saldos' },
  description:
    'Accounts with a balance or anything entered in the period. The opening entry of the first day is part of the opening balance. ' +
    'Income and expense begin each fiscal year at zero; the results of years not closed are one line (`open_years`). ' +
    'With `by`, each row also has its movement (debit less credit) in each month, quarter or year, or of each cost center or project.',
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
    level: Type.Optional(
      integer({
        minimum: 1,
        maximum: 12,
        description: 'Adds up the accounts whose codes begin with the same digits, so many of them',
      }),
    ),
    ...ACCOUNTS,
    opening: Type.Optional(
      flag({
        default: true,
        description: 'false: the balance is what the period has moved, without what was there before',
      }),
    ),
    ...BY_PERIOD_OR_DIMENSION,
    ...DIMENSION_FILTERS,
    ...CLOSING_ENTRIES,
  },
  data: Type.Object({ columns: COLUMNS, rows: Type.Array(ROW) }),
  summary: Type.Object({ ...SUMS, amounts: AMOUNTS }),
  check(request) {
    checkColumns(request);
    const { type, by, opening } = request.params;
    if (type !== '8col') return;
    if (by !== undefined) throw refusedParameter('by', 'cannot be given with type=8col, which has its own columns');
    if (opening === false)
      throw refusedParameter('opening', 'cannot be false with type=8col, which shows it in columns');
  },
  async read(request) {
    const { reader, params, range, settings, language, money } = request;
    const { opening = true, closing_entries: closings = false } = params;
    const shownColumns = chosenColumns(params.type);
    const periods = periodColumns(request);
    const bearers = await readDimensionColumns(request, closings ? 'all' : 'unclosed');
    const lines = await readTrialBalance(request, periods, bearers);
    const further = [...periods, ...bearers.columns];
    const query = `from=${range.from}&to=${range.to}${closings ? '&closing_entries=true' : ''}${dimensionQuery(params)}`;
    const path = ({ accountId, code }: (typeof lines)[number]) =>
      accountId === null
        ? `/api/reports/trial-balance?accounts=${encodeURIComponent(code)}&${query}`
        : `/api/reports/ledger?account_id=${accountId}&${query}`;
    const year = yearStart(settings.company.fiscalYearStart, range.to);
    const shown = lines
      .map((line) => ({ ...line, sums: movementColumns(opening ? line.movements : withoutOpening(line.movements)) }))
      .filter(({ sums, amounts }) =>
        [...shownColumns.map((name) => sums[name]), ...amounts].some((value) => !decimal(value).eq(0)),
      );
    const rows = [];
    for (const line of shown) {
      rows.push({
        account_id: line.accountId,
        code: line.code,
        name: line.openYears ? OPEN_YEARS.name[language] : line.name,
        open_years: line.openYears,
        ...Object.fromEntries(shownColumns.map((name) => [name, money(line.sums[name])])),
        ...(further.length === 0 ? {} : { amounts: line.amounts.map(money) }),
        drilldown: line.openYears ? await openYearsPath(reader, dayBefore(year)) : path(line),
      });
    }
    const total = (values: readonly Decimal[]) => money(sum(values).toFixed());
    return {
      data: {
        ...columnsToJson(periods, language, bearers.columns),
        rows,
      },
      summary: {
        ...Object.fromEntries(shownColumns.map((name) => [name, total(shown.map(({ sums }) => sums[name]))])),
        ...(further.length === 0
          ? {}
          : { amounts: further.map((_, index) => total(shown.map(({ amounts }) => amounts[index] ?? '0'))) }),
      },
    };
  },
  file(view) {
    const { params, data, summary } = view;
    const periods = columnTitles(data.columns).map((title, index) => [columnMember(index), title] as const);
    const { amounts, ...totals } = summary;
    return {
      tables: [
        {
          row: Type.Object({ ...ROW.properties, ...Object.fromEntries(periods.map(([member]) => [member, amount()])) }),
          columns: ['code', 'name', ...periods.map(([member]) => member), ...chosenColumns(params.type)],
          titles: { ...TITLES, ...Object.fromEntries(periods) },
          rows: data.rows.map((row) => ({ ...row, ...columnMembers(row.amounts) })),
          totals: { ...totals, ...columnMembers(amounts) },
        },
      ],
    };
  },
});

const TITLES = {
  ...LEDGER_TITLES,
  opening_debit: { en: 'Opening debit', es: 'Saldo inicial deudor' },
  opening_credit: { en: 'Opening credit', es: 'Saldo inicial acreedor' },
  period_debit: { en: 'Debit of the period', es: 'Debe del periodo' },
  period_credit: { en: 'Credit of the period', es: 'Haber del periodo' },
  total_debit: { en: 'Year to date, debit', es: 'Suma debe' },
  total_credit: { en: 'Year to date, credit', es: 'Suma haber' },
  ...BALANCE_TITLES,
} as const;
