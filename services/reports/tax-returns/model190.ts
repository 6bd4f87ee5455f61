/** Model 190, the year's recipients of pay from which income tax was withheld (decision 0207). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { COUNTS_190, model190 } from '../../../domain/ledger/tax-returns/model190.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { WITHHELD_KEYS, type WithheldFrom } from '../../../domain/ledger/tax-returns/withheld.ts';
import type { Decimal } from '../../../domain/money.ts';
import { FORM_190 } from '../../../domain/reports/tax-returns/form190.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { readWithheld } from '../../ledger/tax-returns/withheld.ts';
import { choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { formFile } from './tax-form.ts';
import { assertSpanish, BOXES, invoicesPath, shownBoxes } from './tax-model.ts';
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
  data: Type.Object({ year: YEAR, boxes: BOXES, rows: Type.Array(ROW), ...WITHHELD_DATA }),
  summary: Type.Object(PAID),
  consistent: true,
  check: assertSpanish,
  async read({ reader, params, range, money }) {
    const year = params.year ?? Number(range.to.slice(0, 4)) - 1;
    const days = periodSpan({ year, period: ANNUAL });
    const found = await readWithheld(reader, days);
    const { recipients } = found;
    const declared = await readDeclared(reader, recipients);
    return {
      ...days,
      data: {
        year,
        boxes: shownBoxes(model190(recipients), money),
        rows: recipients.map((recipient) => toRow(recipient, declared.get(recipient.employeeId ?? ''), days, money)),
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

interface DeclaredData {
  readonly employeeId: string;
  readonly familySituation: number;
  readonly children: number;
  readonly birthYear: number | null;
  readonly disability: number;
  readonly ascendants: number;
}

const TOLD_SQL = `select employee_id as "employeeId", family_situation as "familySituation", children, birth_year as "birthYear",
    disability, jsonb_array_length(ascendants) as ascendants
  from employee_tax_data where employee_id = any(:ids::uuid[])`;

/** Reads the tax data that employees have declared, by their ids. */
async function readDeclared(
  reader: Reader,
  recipients: readonly WithheldFrom[],
): Promise<ReadonlyMap<string, DeclaredData>> {
  const ids = recipients.flatMap(({ employeeId }) => employeeId ?? []);
  const found = await query<DeclaredData>(reader, TOLD_SQL, { ids });
  return new Map(found.map((each) => [each.employeeId, each]));
}

function toRow(recipient: WithheldFrom, told: DeclaredData | undefined, days: Days, money: (value: Decimal) => number) {
  const { employeeId, partnerId, key, name, nif } = recipient;
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
    birth_year: told?.birthYear ?? null,
    family_situation: told?.familySituation ?? null,
    children: told?.children ?? null,
    disability: told?.disability ?? null,
    ascendants: told?.ascendants ?? null,
    drilldown,
  };
}
