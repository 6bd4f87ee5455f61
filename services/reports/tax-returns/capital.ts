/** Models 123 and 193, income tax withheld from income of capital: dividends and interest. */
import { Type } from 'typebox';
import { file123 } from '../../../domain/ledger/tax-returns/file111.ts';
import { type CapitalIncome, COUNTS_123, COUNTS_193 } from '../../../domain/ledger/tax-returns/model123.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { FORM_123, FORM_193 } from '../../../domain/reports/tax-returns/form123.ts';
import { DECLARATION_123, DECLARATION_193 } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { AGENCY_FILE, assertDesign, encode, exactBoxes } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import {
  assertSpanish,
  changedRows,
  checkPeriodic,
  FILED_DATA,
  filedData,
  listChanges,
  QUARTER_OR_MONTH,
  rectificationIn,
  requestedPeriod,
  requestedYear,
} from './tax-model.ts';

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
  async read(request) {
    const { reader, money } = request;
    const period = requestedPeriod(request);
    const days = periodSpan(period);
    const declared = await readDeclared(reader, DECLARATION_123, period);
    const { found: incomes } = declared;
    const data = filedData(declared, { money });
    const result = data.boxes['14'] ?? 0;
    const type = result > 0 ? ('I' as const) : ('N' as const);
    return {
      ...days,
      data: { ...period, type, ...data, rows: incomes.map((income) => toRow(income, days, money)) },
      summary: { ...sums(incomes, money), result },
    };
  },
  formats: {
    aeat: {
      ...AGENCY_FILE,
      extension: '123',
      check: (request) => assertDesign(requestedPeriod(request).year, SINCE_123),
      async write({ data, settings: { company } }) {
        const { year, period, type, boxes, filed } = data;
        const rectification = rectificationIn(filed);
        return encode(file123({ period: { year, period }, boxes: exactBoxes(boxes), type, company, rectification }));
      },
    },
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
  async read({ reader, params, range, money }) {
    const year = requestedYear(params, range);
    const period = { year, period: ANNUAL };
    const days = periodSpan(period);
    const declared = await readDeclared(reader, DECLARATION_193, period);
    const { found, computed, filed } = declared;
    const { incomes } = (filed ?? computed).details;
    const toRows = (of: readonly CapitalIncome[]) => of.map((income) => toRow(income, days, money));
    const rows = toRows(incomes);
    const identify = ({ kind, partner_id, rate }: (typeof rows)[number]) => [kind, partner_id, rate];
    return {
      ...days,
      data: {
        year,
        ...filedData(declared, { money }),
        rows,
        changed_rows: listChanges(filed && rows, toRows(found), identify),
      },
      summary: sums(incomes, money),
    };
  },
  file: (view) => ({
    ...formFile(FORM_193, view, { period: String(view.data.year), counts: COUNTS_193 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

function sums(incomes: readonly CapitalIncome[], money: Money) {
  return {
    base: money(sum(incomes.map(({ base }) => base)).toFixed()),
    withheld: money(sum(incomes.map(({ withheld }) => withheld)).toFixed()),
  };
}

function toRow(income: CapitalIncome, { from, to }: Days, money: Money) {
  const { kind, partnerId, name, nif, country, rate, base, withheld } = income;
  return {
    ...{ kind, partner_id: partnerId, name, nif, country, rate: Number(rate) },
    ...{ base: money(base), withheld: money(withheld) },
    drilldown: partnerId && `/api/reports/journal?partner_id=${partnerId}&from=${from}&to=${to}`,
  };
}
