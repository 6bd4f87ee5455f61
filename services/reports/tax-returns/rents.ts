/** Models 115 and 180, income tax withheld from rents of urban property. */
import { Type } from 'typebox';
import { file115 } from '../../../domain/ledger/tax-returns/file111.ts';
import { COUNTS_115, type Rent } from '../../../domain/ledger/tax-returns/model115.ts';
import type { Decimal } from '../../../domain/money.ts';
import { FORM_115, FORM_180 } from '../../../domain/reports/tax-returns/form115.ts';
import { DECLARATION_115, DECLARATION_180 } from '../../ledger/tax-returns/declarations.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { paymentFile } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import { assertSpanish, changedRows, checkPeriodic, FILED_DATA, invoicesPath, QUARTER_OR_MONTH } from './tax-model.ts';
import { readPaid, readSummary } from './withheld-rows.ts';

const SUMS = { base: amount({ description: 'Rents' }), withheld: amount({ description: 'Income tax withheld' }) };
const ROW = Type.Object({
  partner_id: nullable(uuid({ description: 'null: no line of the entry names the landlord' })),
  name: nullable(text({ max: 500 })),
  nif: nullable(text()),
  country: nullable(text()),
  rate: percent(),
  ...SUMS,
  drilldown: nullable(text({ max: 500 })),
});
type Money = (value: Decimal) => number;

export const model115Report = defineReport({
  name: 'tax/model115',
  title: { en: 'Model 115: income tax withheld from rents', es: 'Modelo 115: retenciones de alquileres' },
  description: 'Box by box: what entries of rents (account 621) withheld, by their days, and by landlord.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    ...FILED_DATA,
    rows: Type.Array(ROW, { description: 'As the books have them: the form does not name landlords' }),
  }),
  summary: Type.Object({ ...SUMS, result: amount({ description: 'Box 05' }) }),
  consistent: true,
  check: checkPeriodic,
  read: async (request) => await readPaid(request, DECLARATION_115, toRow),
  formats: {
    aeat: paymentFile('115', file115),
  },
  file: (view) => ({
    ...formFile(FORM_115, view, { period: `${view.data.year} ${view.data.period}`, counts: COUNTS_115 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

export const model180Report = defineReport({
  name: 'tax/model180',
  title: { en: 'Model 180: rents of a year', es: 'Modelo 180: resumen anual de alquileres' },
  description: 'A row for each landlord and percentage; the sums are those of the models 115 of the year.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({ year: YEAR, ...FILED_DATA, rows: Type.Array(ROW), changed_rows: changedRows(ROW) }),
  summary: Type.Object(SUMS),
  consistent: true,
  check: assertSpanish,
  read: async (request) =>
    await readSummary(request, DECLARATION_180, {
      toRow,
      detailed: (details) => details.rents,
      identify: ({ partner_id, rate }) => [partner_id, rate],
    }),
  file: (view) => ({
    ...formFile(FORM_180, view, { period: String(view.data.year), counts: COUNTS_115 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

function toRow({ partnerId, name, nif, country, rate, base, withheld }: Rent, days: Days, money: Money) {
  return {
    ...{ partner_id: partnerId, name, nif, country, rate: Number(rate) },
    ...{ base: money(base), withheld: money(withheld) },
    drilldown: partnerId && invoicesPath('purchases', partnerId, days),
  };
}
