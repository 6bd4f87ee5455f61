/** Model 349, operations with taxable people of other member states. */
import { Type } from 'typebox';
import { file349 } from '../../../domain/ledger/tax-returns/file347.ts';
import {
  COUNTS_349,
  type Correction349,
  type Declared349,
  KEYS_349,
} from '../../../domain/ledger/tax-returns/model349.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { FORM_349 } from '../../../domain/reports/tax-returns/form349.ts';
import { DECLARATION_349 } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { AGENCY_FILE, assertDesign, assertIdentified, assertNotNegative, encode, toDeclarant } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import {
  changedRows,
  checkPeriodicVat,
  FILED_DATA,
  filedData,
  invoicesPath,
  listChanges,
  QUARTER_OR_MONTH,
  requestedPeriod,
} from './tax-model.ts';

const OPERATOR = {
  key: choice(KEYS_349, {
    description: 'E: goods supplied, A: goods acquired, S: services rendered, I: services received',
  }),
  partner_id: uuid(),
  name: text({ max: 500 }),
  nif: nullable(text()),
  country: text(),
};
const ROW = Type.Object({ ...OPERATOR, base: amount(), drilldown: text({ max: 500 }) });
const CORRECTION = Type.Object({
  ...OPERATOR,
  year: YEAR,
  period: text({ description: 'The period that is corrected' }),
  rectified: amount({ description: 'The base of that period as it is now' }),
  before: amount({ description: 'As it was declared' }),
  drilldown: text({ max: 500 }),
});
const SALES = new Set<string>(['E', 'S']);

export const model349Report = defineReport({
  name: 'tax/model349',
  title: { en: 'Model 349: operations within the Union', es: 'Modelo 349: operaciones intracomunitarias' },
  description:
    'Bases by partner and kind of operation, by the days of their entries. Rectifying invoices of an earlier period correct that; those ' +
    'of the same one are part of it.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    ...FILED_DATA,
    rows: Type.Array(ROW),
    changed_rows: changedRows(ROW),
    corrections: Type.Array(CORRECTION, { description: 'What rectifying invoices correct of earlier periods' }),
    without_nif: integer({ description: 'Rows of partners without a VAT number, which the tax agency refuses' }),
  }),
  summary: Type.Object({ base: amount() }),
  consistent: true,
  check: checkPeriodicVat,
  async read(request) {
    const { reader, money } = request;
    const period = requestedPeriod(request);
    const days = periodSpan(period);
    const read = await readDeclared(reader, DECLARATION_349, period);
    const { found, computed, filed } = read;
    const { declared, corrections } = (filed ?? computed).details;
    const toRows = (of: readonly Declared349[]) => of.map((each) => declaredRow(each, days, money));
    const rows = toRows(declared);
    return {
      ...days,
      data: {
        ...period,
        ...filedData(read, { money }),
        rows,
        changed_rows: listChanges(
          filed && rows,
          () => toRows(found.declared),
          ({ key, partner_id }) => [key, partner_id],
        ),
        corrections: corrections.map((each) => correctionRow(each, money)),
        without_nif: declared.filter(({ nif }) => nif === null).length,
      },
      summary: { base: money(sum(declared.map(({ base }): Decimal => base)).toFixed()) },
    };
  },
  formats: {
    aeat: {
      ...AGENCY_FILE,
      extension: '349',
      check: (request) => assertDesign(requestedPeriod(request).year),
      async write({ data, settings }) {
        const { year, period, rows, corrections } = data;
        const declared = rows.map((row): Declared349 => ({ ...toOperator(row), base: exact(row.base) }));
        const corrected = corrections.map(
          (row): Correction349 => ({
            ...toOperator(row),
            period: { year: row.year, period: row.period },
            rectified: exact(row.rectified),
            before: exact(row.before),
          }),
        );
        assertIdentified([...rows, ...corrections].filter(({ nif }) => nif === null));
        assertNotNegative([
          ...rows.filter(({ base }) => base < 0),
          ...corrections.filter(({ rectified, before }) => rectified < 0 || before < 0),
        ]);
        return encode(file349({ year, period }, toDeclarant(settings.company, data.filed), declared, corrected));
      },
    },
  },
  file: (view) => ({
    ...formFile(FORM_349, view, { period: `${view.data.year} ${view.data.period}`, counts: COUNTS_349 }),
    tables: [
      { row: ROW, rows: view.data.rows, totals: view.summary },
      ...(view.data.corrections.length === 0
        ? []
        : [{ title: { en: 'Corrections', es: 'Rectificaciones' }, row: CORRECTION, rows: view.data.corrections }]),
    ],
  }),
});

interface Operator {
  readonly key: (typeof KEYS_349)[number];
  readonly partnerId: string;
  readonly name: string;
  readonly nif: string | null;
  readonly country: string;
}

function declaredRow({ base, ...operator }: Declared349, days: Days, money: (value: Decimal) => number) {
  return { ...toRow(operator), base: money(base), drilldown: invoices(operator, days) };
}

function correctionRow({ period, rectified, before, ...operator }: Correction349, money: (value: Decimal) => number) {
  return {
    ...toRow(operator),
    ...period,
    rectified: money(rectified),
    before: money(before),
    drilldown: invoices(operator, periodSpan(period)),
  };
}

function exact(value: number): Decimal {
  return decimal(value).toFixed();
}

function toOperator({ key, partner_id: partnerId, name, nif, country }: ReturnType<typeof toRow>): Operator {
  return { key, partnerId, name, nif, country };
}

function toRow({ key, partnerId, name, nif, country }: Operator) {
  return { key, partner_id: partnerId, name, nif, country };
}

function invoices({ key, partnerId }: Operator, days: Days): string {
  return invoicesPath(SALES.has(key) ? 'sales' : 'purchases', partnerId, days);
}
