/** Model 190, the year's recipients of pay from which income tax was withheld (decisions 0207 and 0347). */
import { type Static, Type } from 'typebox';
import { disabilityClass, type FamilyCounts } from '../../../domain/ledger/tax-returns/family190.ts';
import {
  file190,
  isNegative190,
  type Personal190,
  type Recipient190,
  SINCE_190,
} from '../../../domain/ledger/tax-returns/file190.ts';
import { withoutRepeats } from '../../../domain/ledger/tax-returns/informative.ts';
import { type Known190, missing190 } from '../../../domain/ledger/tax-returns/missing190.ts';
import { COUNTS_190 } from '../../../domain/ledger/tax-returns/model190.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { SUBKEYS, WITHHELD_KEYS } from '../../../domain/ledger/tax-returns/withheld.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { FORM_190 } from '../../../domain/reports/tax-returns/form190.ts';
import { DECLARATION_190, type Recipient } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { choice, flag, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { MISSING, summaryFile } from './agency-file.ts';
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
  subkey: nullable(choice(SUBKEYS, { description: 'By which rule of the key; wages have none' })),
  name: text({ max: 500 }),
  nif: nullable(text()),
  province: nullable(text({ description: 'First two digits of the postal code of their home in Spain' })),
  ...PAID,
  birth_year: nullable(integer({ description: 'Only if the employee has declared it' })),
  family_situation: nullable(integer({ description: '1 to 3; only if the employee has declared it' })),
  children: nullable(integer()),
  disability: nullable(integer({ description: '0, 33 or 65 percent; only if the employee has declared their data' })),
  ascendants: nullable(integer({ description: 'Parents and grandparents at home, likewise' })),
  disability_class: nullable(
    integer({ description: '0 none, 1 from 33 %, 2 the same with need of help, 3 from 65 %' }),
  ),
  spouse_nif: nullable(text({ description: 'Tax id of a spouse of low income' })),
  contract: nullable(integer({ description: '1: of a year or more, 2: shorter, 3: special employment relation' })),
  geographic_mobility: nullable(flag({ description: 'Whether they moved house for the work' })),
  ceuta_or_melilla: nullable(flag({ description: 'Whether the pay is income of Ceuta or Melilla' })),
  family: nullable(
    Type.Record(Type.String(), integer(), {
      description:
        'Children and ascendants, as the file counts them: under three, disabled (33 %), helped, severely disabled (65 %), by age; ' +
        '`InFull` if nobody else deducts them; firstChild and so on: 1 in full, 2 by half',
    }),
  ),
  drilldown: nullable(text({ max: 500 })),
});
type Row = Static<typeof ROW>;
/** Columns of files, which fit on paper. */
const COLUMNS = [
  ...['key', 'subkey', 'name', 'nif', 'province', ...Object.keys(PAID)],
  ...['birth_year', 'family_situation', 'children', 'disability', 'ascendants'],
];

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
    missing: MISSING,
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
        changed_rows: listChanges(
          filed && rows,
          () => toRows(found.recipients),
          ({ key, subkey, employee_id, partner_id }) => [key, subkey, employee_id ?? partner_id],
        ),
        missing: withoutRepeats(rows.flatMap((row) => missing190(toKnown(row)))),
        ...withheldData(found, days, money),
      },
      summary: totalAmounts(recipients, money),
    };
  },
  formats: {
    aeat: summaryFile('190', { toRecord: toRecipient, isNegative: isNegative190, write: file190, since: SINCE_190 }),
  },
  file: (view) => ({
    ...formFile(FORM_190, view, { period: String(view.data.year), counts: COUNTS_190, notes: withheldNotes(view) }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary, columns: COLUMNS }],
  }),
});

function toRow(recipient: Recipient, days: Days, money: (value: Decimal) => number) {
  const { employeeId, partnerId, key, name, nif, declared } = recipient;
  // Returns filed before the file was written have neither subkeys nor provinces.
  const { subkey = null, province = null }: Partial<Recipient> = recipient;
  const drilldown =
    employeeId === null
      ? partnerId && invoicesPath('purchases', partnerId, days)
      : `/api/payrolls?employeeId=${employeeId}&year=${days.from.slice(0, 4)}`;
  return {
    employee_id: employeeId,
    partner_id: partnerId,
    key,
    subkey,
    name,
    nif,
    province,
    ...totalAmounts([recipient], money),
    birth_year: declared?.birthYear ?? null,
    family_situation: declared?.familySituation ?? null,
    children: declared?.children ?? null,
    disability: declared?.disability ?? null,
    ascendants: declared?.ascendants ?? null,
    disability_class: declared === null ? null : disabilityClass({ needsHelp: false, ...declared }),
    spouse_nif: declared?.spouseNif ?? null,
    contract: declared?.contract ?? null,
    geographic_mobility: declared?.geographicMobility ?? null,
    ceuta_or_melilla: declared?.ceutaOrMelilla ?? null,
    family: declared?.family ?? null,
    drilldown,
  };
}

function toKnown(row: Row): Known190 {
  return {
    ...row,
    employeeId: row.employee_id,
    partnerId: row.partner_id,
    birthYear: row.birth_year,
    familySituation: row.family_situation,
    spouseNif: row.spouse_nif,
  };
}

/** The recipient that a row shows, of which nothing is missing, with exact amounts. */
function toRecipient(row: Row): Recipient190 {
  const exact = (value: number) => decimal(value).toFixed();
  return {
    ...{ key: row.key, subkey: row.subkey, name: row.name, nif: row.nif ?? '', province: row.province ?? '' },
    amount: exact(row.amount),
    withheld: exact(row.withheld),
    inKind: exact(row.in_kind),
    inKindWithheld: exact(row.in_kind_withheld),
    contributions: exact(row.contributions),
    ceutaOrMelilla: row.ceuta_or_melilla ?? false,
    personal: row.key === 'A' ? toPersonal(row) : null,
  };
}

function toPersonal(row: Row): Personal190 {
  return {
    birthYear: row.birth_year ?? 0,
    familySituation: row.family_situation ?? 0,
    spouseNif: row.spouse_nif,
    disability: row.disability_class ?? 0,
    contract: row.contract ?? 0,
    geographicMobility: row.geographic_mobility ?? false,
    family: row.family as FamilyCounts,
  };
}
