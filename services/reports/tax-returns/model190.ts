/** Model 190, the year's recipients of pay from which income tax was withheld (decisions 0207 and 0347). */
import { Type } from 'typebox';
import { COUNTS_190 } from '../../../domain/ledger/tax-returns/model190.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { WITHHELD_KEYS } from '../../../domain/ledger/tax-returns/withheld.ts';
import type { Decimal } from '../../../domain/money.ts';
import { FORM_190 } from '../../../domain/reports/tax-returns/form190.ts';
import { DECLARATION_190, type Recipient } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
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
import { PAID, totalAmounts, WITHHELD_DATA, withheldData, withheldNotes } from './withheld.ts';

const ROW = Type.Object({
  employee_id: nullable(uuid()),
  partner_id: nullable(uuid()),
  key: choice(WITHHELD_KEYS, {
    description: 'A: wages, E: directors, F: courses and works, G: professionals, H: other activities',
  }),
  name: text({ max: 500 }),
  nif: nullable(text()),
  ...PAID,
  birth_year: nullable(integer({ description: 'Only if the employee has declared it' })),
  family_situation: nullable(integer({ description: '1 to 3; only if the employee has declared it' })),
  children: nullable(integer()),
  disability: nullable(integer({ description: '0, 33 or 65 percent; only if the employee has declared their data' })),
  ascendants: nullable(integer({ description: 'Parents and grandparents at home, likewise' })),
  drilldown: nullable(text({ max: 500 })),
});

export const model190Report = defineReport({
  name: 'tax/model190',
  title: { en: 'Model 190: income tax withheld in a year', es: 'Modelo 190: resumen anual de retenciones' },
  description:
    'A row for each recipient and key, and the boxes of the summary, whose sums are those of the models 111 of the year. ' +
    'It names people and what they earn, and is for those who read payrolls.',
  cents: true,
  area: 'payroll',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({
    year: YEAR,
    ...FILED_DATA,
    rows: Type.Array(ROW),
    changed_rows: changedRows(ROW),
    ...WITHHELD_DATA,
  }),
  summary: Type.Object(PAID),
  consistent: true,
  check: assertSpanish,
  async read({ reader, params, range, money }) {
    const year = requestedYear(params, range);
    const period = { year, period: ANNUAL };
    const days = periodSpan(period);
    const declared = await readDeclared(reader, DECLARATION_190, period);
    const { found, computed, filed } = declared;
    const { recipients } = (filed ?? computed).details;
    const toRows = (of: readonly Recipient[]) => of.map((each) => toRow(each, days, money));
    const rows = toRows(recipients);
    return {
      ...days,
      data: {
        year,
        ...filedData(declared, { money }),
        rows,
        changed_rows: listChanges(filed && rows, toRows(found.recipients), ({ key, employee_id, partner_id }) => [
          key,
          employee_id ?? partner_id,
        ]),
        ...withheldData(found, days, money),
      },
      summary: totalAmounts(recipients, money),
    };
  },
  file: (view) => ({
    ...formFile(FORM_190, view, { period: String(view.data.year), counts: COUNTS_190, notes: withheldNotes(view) }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary }],
  }),
});

function toRow(recipient: Recipient, days: Days, money: (value: Decimal) => number) {
  const { employeeId, partnerId, key, name, nif, declared } = recipient;
  const drilldown =
    employeeId === null
      ? partnerId && invoicesPath('purchases', partnerId, days)
      : `/api/payrolls?employeeId=${employeeId}&year=${days.from.slice(0, 4)}`;
  return {
    employee_id: employeeId,
    partner_id: partnerId,
    key,
    name,
    nif,
    ...totalAmounts([recipient], money),
    birth_year: declared?.birthYear ?? null,
    family_situation: declared?.familySituation ?? null,
    children: declared?.children ?? null,
    disability: declared?.disability ?? null,
    ascendants: declared?.ascendants ?? null,
    drilldown,
  };
}
