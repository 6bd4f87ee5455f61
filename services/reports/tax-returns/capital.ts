/** Models 123 and 193, income tax withheld from income of capital: dividends and interest. */
import { type Static, Type } from 'typebox';
import { file123 } from '../../../domain/ledger/tax-returns/file111.ts';
import {
  file193,
  type Income193,
  isNegative193,
  missing193,
  SINCE_193,
} from '../../../domain/ledger/tax-returns/file193.ts';
import {
  CAPITAL_KEYS,
  type CapitalIncome,
  COUNTS_123,
  COUNTS_193,
  capitalKey,
} from '../../../domain/ledger/tax-returns/model123.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { FORM_123, FORM_193 } from '../../../domain/reports/tax-returns/form123.ts';
import { DECLARATION_123, DECLARATION_193 } from '../../ledger/tax-returns/declarations.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, day, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { MISSING, paymentFile, summaryFile } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import { assertSpanish, changedRows, checkPeriodic, FILED_DATA, QUARTER_OR_MONTH } from './tax-model.ts';
import { readPaid, readSummary } from './withheld-rows.ts';

/** The first year of the design of model 123. */
const SINCE_123 = 2024;

const SUMS = {
  base: amount({ description: 'Paid for capital' }),
  withheld: amount({ description: 'Income tax withheld' }),
};
const ROW = Type.Object({
  kind: choice(['dividend', 'interest'], { description: 'dividend: shares in profits; interest: all other' }),
  partner_id: nullable(uuid({ description: 'null: no line of the entry names the recipient' })),
  name: nullable(text({ max: 500 })),
  nif: nullable(text()),
  country: nullable(text()),
  province: nullable(text({ description: 'First two digits of their postal code in Spain' })),
  key: choice(CAPITAL_KEYS, {
    description: 'A: shares in profits, B: interest, D: interest of people related to the company',
  }),
  nature: choice(['01', '02', '03'], { description: '02: dividends; 01: interest of bonds, 03: of loans' }),
  accrued_on: nullable(day({ description: 'Day of a dividend' })),
  rate: percent(),
  ...SUMS,
  drilldown: nullable(text({ max: 500 })),
});
type Row = Static<typeof ROW>;
type Money = (value: Decimal) => number;

export const model123Report = defineReport({
  name: 'tax/model123',
  title: { en: 'Model 123: income tax withheld from capital', es: 'Modelo 123: retenciones del capital mobiliario' },
  description:
    'Box by box: what entries of dividends (526, 557, 664) and interest (661, 662, 669, 506, 527, 528) withheld, by their days, and by ' +
    'recipient.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    ...FILED_DATA,
    rows: Type.Array(ROW, { description: 'As the books have them: the form does not name recipients' }),
  }),
  summary: Type.Object({ ...SUMS, result: amount({ description: 'Box 14' }) }),
  consistent: true,
  check: checkPeriodic,
  read: async (request) => await readPaid(request, DECLARATION_123, toRow),
  formats: {
    aeat: paymentFile('123', file123, SINCE_123),
  },
  file: (view) => ({
    ...formFile(FORM_123, view, { period: `${view.data.year} ${view.data.period}`, counts: COUNTS_123 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

export const model193Report = defineReport({
  name: 'tax/model193',
  title: { en: 'Model 193: income of capital of a year', es: 'Modelo 193: resumen anual del capital mobiliario' },
  description:
    'A row for each recipient, kind of income, day of a dividend and percentage; the sums are those of the models 123 of the year.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({
    year: YEAR,
    ...FILED_DATA,
    rows: Type.Array(ROW),
    changed_rows: changedRows(ROW),
    missing: MISSING,
  }),
  summary: Type.Object(SUMS),
  consistent: true,
  check: assertSpanish,
  read: async (request) =>
    await readSummary(request, DECLARATION_193, {
      toRow,
      detailed: (details) => details.incomes,
      identify: ({ key, nature, partner_id, accrued_on, rate }) => [key, nature, partner_id, accrued_on, rate],
      lacks: (row) => missing193({ ...row, partnerId: row.partner_id }),
    }),
  formats: {
    aeat: summaryFile('193', { toRecord: toIncome, isNegative: isNegative193, write: file193, since: SINCE_193 }),
  },
  file: (view) => ({
    ...formFile(FORM_193, view, { period: String(view.data.year), counts: COUNTS_193 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

function toRow(income: CapitalIncome, { from, to }: Days, money: Money) {
  const { kind, partnerId, name, nif, country, rate, base, withheld } = income;
  // Returns filed before the file was written do not have these.
  const { province = null, accruedOn = null, isOfBonds = false, isRelated = null }: Partial<CapitalIncome> = income;
  return {
    ...{ kind, partner_id: partnerId, name, nif, country, province },
    ...capitalKey({ kind, isOfBonds, isRelated, nif, country }),
    ...{ accrued_on: accruedOn, rate: Number(rate), base: money(base), withheld: money(withheld) },
    drilldown: partnerId && `/api/reports/journal?partner_id=${partnerId}&from=${from}&to=${to}`,
  };
}

/** The income that a row shows, of which nothing is missing, with exact amounts. */
function toIncome({ key, nature, name, nif, province, accrued_on: accruedOn, rate, base, withheld }: Row): Income193 {
  const exact = (value: number) => decimal(value).toFixed();
  return {
    ...{ key, nature, name: name ?? '', nif: nif ?? '', province: province ?? '', accruedOn },
    ...{ rate: exact(rate), base: exact(base), withheld: exact(withheld) },
  };
}
