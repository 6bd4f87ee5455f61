/** Model 369, the return of the Union scheme (OSS), as filed or as it would be filed now (decision 0377). */
import { Type } from 'typebox';
import { file369 } from '../../../domain/ledger/tax-returns/file369.ts';
import type { Balance369, Correction369, Declared369 } from '../../../domain/ledger/tax-returns/model369.ts';
import { periodSpan, QUARTERLY } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { FORM_369 } from '../../../domain/reports/tax-returns/form369.ts';
import { RATE_KINDS } from '../../../domain/trade/documents/union-scheme.ts';
import { DECLARATION_369 } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { AGENCY_FILE, encode } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import { changedRows, checkPeriodicVat, FILED_DATA, filedData, listChanges, requestedPeriod } from './tax-model.ts';

const STATE = { country: text({ description: 'The state of consumption' }) };
const DRILLDOWN = { drilldown: text({ max: 500, description: 'The entries of the quarter with tax of the state' }) };
const ROW = Type.Object({
  ...STATE,
  supply: choice(['services', 'goods'], { description: 'What is sold; goods are sent from Spain' }),
  rate_kind: choice(RATE_KINDS, {
    description: 'Whether the state has the rate as its standard one, or as a reduced one',
  }),
  rate: percent(),
  base: amount(),
  amount: amount(),
  ...DRILLDOWN,
});
const CORRECTION = Type.Object({
  ...STATE,
  year: YEAR,
  period: text({ description: 'The quarter that is corrected' }),
  amount: amount({ description: 'The tax by which it changes' }),
  ...DRILLDOWN,
});
const BALANCE = Type.Object({
  ...STATE,
  amount: amount({ description: 'What is owed to the state; below 0, the state pays it back' }),
  ...DRILLDOWN,
});

export const model369Report = defineReport({
  name: 'tax/model369',
  title: { en: 'Model 369: one-stop shop, Union scheme', es: 'Modelo 369: ventanilla única, régimen de la Unión' },
  description:
    'Sales to consumers in other member states by state, kind and rate, by the days of their entries. What takes back sales of an ' +
    'earlier quarter corrects that, by state; what takes back sales of the same one is part of it.',
  cents: true,
  area: 'accounting',
  parameters: {
    year: Type.Optional(YEAR),
    period: Type.Optional(
      choice([...QUARTERLY, 'T1', 'T2', 'T3', 'T4'], {
        description: 'A quarter; by default the last one that is over',
      }),
    ),
  },
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    ...FILED_DATA,
    rows: Type.Array(ROW, { description: 'What the quarter declares' }),
    changed_rows: changedRows(ROW),
    corrections: Type.Array(CORRECTION, { description: 'What is corrected of earlier quarters' }),
    expired: Type.Array(CORRECTION, {
      description:
        'Corrections of quarters that no return may correct any more, after three years; in none of the sums',
    }),
    balances: Type.Array(BALANCE, { description: 'Taxes and corrections by state' }),
  }),
  summary: Type.Object({ base: amount(), amount: amount(), result: amount({ description: 'What is paid' }) }),
  consistent: true,
  check: checkPeriodicVat,
  async read(request) {
    const { reader, money } = request;
    const period = requestedPeriod(request);
    const days = periodSpan(period);
    const read = await readDeclared(reader, DECLARATION_369, period);
    const { found, computed, filed } = read;
    const { rows: declared, corrections, expired, balances } = (filed ?? computed).details;
    const shown = filedData(read, { money });
    const drilled = <Row extends { readonly country: string }>(row: Row) => ({ ...row, drilldown: entries(row, days) });
    const toRows = (of: readonly Declared369[]) => of.map((each) => drilled(toRow(each, money)));
    const toAmounts = <Row extends Correction369 | Balance369>(of: readonly Row[]) =>
      of.map((each) => drilled({ ...each, amount: money(each.amount) }));
    const rows = toRows(declared);
    const box = (name: string) => shown.boxes[name] ?? 0;
    const sum = (...names: readonly string[]) =>
      money(names.reduce((total, name) => total.plus(box(name)), decimal(0)).toFixed());
    return {
      ...days,
      data: {
        ...period,
        type: box('8') > 0 ? ('I' as const) : ('N' as const),
        ...shown,
        rows,
        changed_rows: listChanges(
          filed && rows,
          () => toRows(found.rows),
          ({ country, supply, rate_kind, rate }) => [country, supply, rate_kind, rate],
        ),
        corrections: toAmounts(corrections),
        expired: toAmounts(expired),
        balances: toAmounts(balances),
      },
      summary: { base: sum('3B', '4B'), amount: sum('3', '4'), result: box('8') },
    };
  },
  formats: {
    aeat: {
      ...AGENCY_FILE,
      extension: '369',
      async write({ data, summary, settings }) {
        const { year, period, rows, corrections } = data;
        const declared = rows.map(
          ({ country, supply, rate_kind: rateKind, rate, base, amount: tax }): Declared369 => ({
            ...{ country, goods: supply === 'goods', rateKind },
            ...{ rate: exact(rate), base: exact(base), amount: exact(tax) },
          }),
        );
        const corrected = corrections.map(
          (row): Correction369 => ({
            ...{ country: row.country, year: row.year, period: row.period },
            amount: exact(row.amount),
          }),
        );
        const own = { period: { year, period }, result: exact(summary.result), company: settings.company };
        return encode(file369({ ...own, rows: declared, corrections: corrected }));
      },
    },
  },
  file: (view) => ({
    ...formFile(FORM_369, view, { period: `${view.data.year} ${view.data.period}` }),
    tables: [
      { row: ROW, rows: view.data.rows, totals: { base: view.summary.base, amount: view.summary.amount } },
      ...titled('Corrections', 'Correcciones', CORRECTION, view.data.corrections),
      ...titled('Corrections out of time', 'Correcciones fuera de plazo', CORRECTION, view.data.expired),
      ...titled('By state', 'Por Estados', BALANCE, view.data.balances),
    ],
  }),
});

/** A table with a title, unless it is empty. */
function titled<Row, Schema>(en: string, es: string, row: Schema, rows: readonly Row[]) {
  return rows.length === 0 ? [] : [{ title: { en, es }, row, rows }];
}

function toRow({ country, goods, rateKind, rate, base, amount: tax }: Declared369, money: (value: Decimal) => number) {
  return {
    country,
    supply: goods ? ('goods' as const) : ('services' as const),
    rate_kind: rateKind,
    rate: Number(rate),
    base: money(base),
    amount: money(tax),
  };
}

function exact(value: number): Decimal {
  return decimal(value).toFixed();
}

/** The path of the entries with tax of a state. */
function entries({ country }: { readonly country: string }, { from, to }: Days): string {
  return `/api/journal-entries?date[gte]=${from}&date[lte]=${to}&status=posted&consumptionCountry=${country}`;
}
