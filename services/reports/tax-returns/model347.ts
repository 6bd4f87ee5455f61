/** Model 347, the year's operations with others above a limit. */
import { type Static, Type } from 'typebox';
import { file347 } from '../../../domain/ledger/tax-returns/file347.ts';
import {
  COUNTS_347,
  KEYS_347,
  type Record347,
  toRecords,
  yearTotal,
} from '../../../domain/ledger/tax-returns/model347.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { FORM_347 } from '../../../domain/reports/tax-returns/form347.ts';
import { DECLARATION_347 } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { amount, choice, flag, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { AGENCY_FILE, assertDesign, assertIdentified, encode, toDeclarant } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import {
  assertSpanish,
  changedRows,
  FILED_DATA,
  filedData,
  invoicesPath,
  listChanges,
  requestedYear,
} from './tax-model.ts';

const AMOUNTS = {
  q1: amount({ description: 'First quarter, VAT included' }),
  q2: amount({ description: 'Second quarter' }),
  q3: amount({ description: 'Third quarter' }),
  q4: amount({ description: 'Fourth quarter' }),
  total: amount({ description: 'The year' }),
  cash: amount({ description: 'Received in cash, if it was more than 6,000 €' }),
};
export const ROW_347 = Type.Object({
  key: choice(KEYS_347, { description: 'A: purchases, B: sales' }),
  partner_id: uuid(),
  name: text({ max: 500 }),
  nif: nullable(text()),
  country: text(),
  province: nullable(text({ description: 'First two digits of the postal code of people in Spain' })),
  reverse_charge: flag({ description: 'Operations whose tax the buyer owes, which are a row of their own' }),
  ...AMOUNTS,
  drilldown: text({ max: 500 }),
});

type Row = Static<typeof ROW_347>;

export const model347Report = defineReport({
  name: 'tax/model347',
  title: { en: 'Model 347: operations with others', es: 'Modelo 347: operaciones con terceras personas' },
  description:
    'People with whom the year had operations within the country of more than 3,005.06 €, VAT included, by quarter; purchases and sales ' +
    'apart. Operations with income tax withheld, with the Union and of imports and exports are left out, as other models declare them.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({
    year: YEAR,
    ...FILED_DATA,
    rows: Type.Array(ROW_347),
    changed_rows: changedRows(ROW_347),
    without_nif: integer({ description: 'Rows of people without a tax id, which the tax agency refuses' }),
  }),
  summary: Type.Object(AMOUNTS),
  consistent: true,
  check: assertSpanish,
  async read({ reader, params, range, money }) {
    const year = requestedYear(params, range);
    const period = { year, period: ANNUAL };
    const days = periodSpan(period);
    const declared = await readDeclared(reader, DECLARATION_347, period);
    const { found, computed, filed } = declared;
    const { operations } = (filed ?? computed).details;
    const toRows = (of: readonly Record347[]) => of.map((each) => toRow(each, days, money));
    const records = operations.flatMap(toRecords);
    const rows = toRows(records);
    const total = (of: (each: Record347) => Decimal) => sum(records.map(of)).toFixed();
    const q1 = total(({ quarters: [first] }) => first);
    const q2 = total(({ quarters: [, second] }) => second);
    const q3 = total(({ quarters: [, , third] }) => third);
    const q4 = total(({ quarters: [, , , fourth] }) => fourth);
    return {
      ...days,
      data: {
        year,
        ...filedData(declared, { money }),
        rows,
        changed_rows: listChanges(
          filed && rows,
          () => toRows(found.flatMap(toRecords)),
          ({ key, partner_id, reverse_charge }) => [key, partner_id, reverse_charge],
        ),
        without_nif: records.filter(({ nif }) => nif === null).length,
      },
      summary: {
        q1: money(q1),
        q2: money(q2),
        q3: money(q3),
        q4: money(q4),
        total: money(sum([q1, q2, q3, q4]).toFixed()),
        cash: money(total(({ cash }) => cash)),
      },
    };
  },
  formats: {
    aeat: {
      ...AGENCY_FILE,
      extension: '347',
      check: ({ params, range }) => assertDesign(requestedYear(params, range)),
      async write({ data, settings }) {
        const records = data.rows.map(toRecord);
        assertIdentified(records.filter(({ nif, country, province }) => country === SPAIN && !(nif && province)));
        return encode(file347(data.year, toDeclarant(settings.company, data.filed), records));
      },
    },
  },
  file: (view) => ({
    ...formFile(FORM_347, view, { period: String(view.data.year), counts: COUNTS_347 }),
    tables: [{ row: ROW_347, rows: view.data.rows, totals: view.summary }],
  }),
});

/** A record as a row. @param days the year */
export function toRow(record: Record347, days: Days, money: (value: Decimal) => number) {
  const { key, partnerId, name, nif, country, province, isReverse, quarters, cash } = record;
  const [q1, q2, q3, q4] = quarters;
  return {
    key,
    partner_id: partnerId,
    name,
    nif,
    country,
    province,
    reverse_charge: isReverse,
    q1: money(q1),
    q2: money(q2),
    q3: money(q3),
    q4: money(q4),
    total: money(yearTotal(record)),
    cash: money(cash),
    drilldown: invoicesPath(key === 'A' ? 'purchases' : 'sales', partnerId, days),
  };
}

/** The record that a row shows, with exact amounts. */
function toRecord(row: Row): Record347 {
  const { key, partner_id: partnerId, name, nif, country, province, reverse_charge: isReverse } = row;
  const exact = (value: number) => decimal(value).toFixed();
  const quarters = [exact(row.q1), exact(row.q2), exact(row.q3), exact(row.q4)] as const;
  return { key, partnerId, name, nif, country, province, isReverse, quarters, cash: exact(row.cash) };
}
