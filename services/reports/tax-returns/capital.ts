/** Models 123 and 193, income tax withheld from income of capital: dividends and interest. */
import { Type } from 'typebox';
import { file123 } from '../../../domain/ledger/tax-returns/file111.ts';
import { type CapitalIncome, COUNTS_123, COUNTS_193 } from '../../../domain/ledger/tax-returns/model123.ts';
import type { Decimal } from '../../../domain/money.ts';
import { FORM_123, FORM_193 } from '../../../domain/reports/tax-returns/form123.ts';
import { DECLARATION_123, DECLARATION_193 } from '../../ledger/tax-returns/declarations.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { paymentFile } from './agency-file.ts';
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
  rate: percent(),
  ...SUMS,
  drilldown: nullable(text({ max: 500 })),
});
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
    'A row for each recipient, kind of income and percentage; the sums are those of the models 123 of the year.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({ year: YEAR, ...FILED_DATA, rows: Type.Array(ROW), changed_rows: changedRows(ROW) }),
  summary: Type.Object(SUMS),
  consistent: true,
  check: assertSpanish,
  read: async (request) =>
    await readSummary(request, DECLARATION_193, {
      toRow,
      detailed: (details) => details.incomes,
      identify: ({ kind, partner_id, rate }) => [kind, partner_id, rate],
    }),
  file: (view) => ({
    ...formFile(FORM_193, view, { period: String(view.data.year), counts: COUNTS_193 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

function toRow(income: CapitalIncome, { from, to }: Days, money: Money) {
  const { kind, partnerId, name, nif, country, rate, base, withheld } = income;
  return {
    ...{ kind, partner_id: partnerId, name, nif, country, rate: Number(rate) },
    ...{ base: money(base), withheld: money(withheld) },
    drilldown: partnerId && `/api/reports/journal?partner_id=${partnerId}&from=${from}&to=${to}`,
  };
}
