/** Tax data: declarations of employees about family and age, on which the income tax on their wages depends. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Employee, EmployeeTaxData } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import { isPersonsTaxId, normalizeTaxId } from '../../../domain/identifiers.ts';
import type { Family } from '../../../domain/staff/payroll/irpf.ts';
import {
  DISABILITIES,
  type Disability,
  FAMILY_SITUATIONS,
  PAY_SUBKEYS,
  type PaySubkey,
  WITHHOLDINGS,
} from '../../../domain/staff/payroll/irpf-rules.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { choice, flag, type Input, integer, nullable, text } from '../../platform/validation/schemas.ts';
import { lockEmployee } from './employment.ts';

const [FIRST, , LAST] = FAMILY_SITUATIONS;

const CLOSED = { additionalProperties: false } as const;

function birthYear(description: string) {
  return integer({ minimum: 1900, maximum: 2100, description });
}

/** @param have whose it is */
function disabled(have: string) {
  const [none, ...degrees] = DISABILITIES;
  return {
    disability: Type.Unsafe<Disability>({
      type: 'integer',
      enum: [none, ...degrees],
      description: `Percent from which it counts that ${have} a disability: ${degrees.join(' or ')}; ${none} for none`,
    }),
    needsHelp: flag({ description: `Whether ${have} reduced mobility or need of help from others` }),
  };
}

/** Members of the answer; in requests all are optional. */
export const TAX_DATA = {
  familySituation: integer({
    minimum: FIRST,
    maximum: LAST,
    description:
      '1: alone with children; 2: married, and the spouse earns no more than 1,500 a year; 3 (default): all others',
  }),
  children: integer({ minimum: 0, maximum: 30, description: 'Under 25 at home, without income above 8,000 a year' }),
  childrenUnderThree: integer({ minimum: 0, maximum: 30, description: 'Number of these children under three years' }),
  childrenInFull: flag({
    description:
      'Whether nobody else deducts the children; else they count by half. In situation 1 they always count in full',
  }),
  birthYear: nullable(birthYear('People over 65 and over 75 pay less')),
  ...disabled('they have'),
  disabledChildren: Type.Array(Type.Object(disabled('the child has'), CLOSED), {
    maxItems: 30,
    description: 'The disabilities of these children, of those who have one',
  }),
  ascendants: Type.Array(
    Type.Object(
      {
        birthYear: birthYear('They count when they are over 65, and more over 75; with a disability at any age'),
        ...disabled('they have'),
        sharedBy: integer({
          minimum: 1,
          maximum: 20,
          description: 'With how many descendants they live, who share them',
        }),
      },
      CLOSED,
    ),
    { maxItems: 8, description: 'Parents and grandparents at home, without income above 8,000 a year' },
  ),
  withholding: choice(WITHHOLDINGS, {
    description:
      'special_relation: at least 15 %; administrator: 35 %, or 19 % in a company with a turnover below 100,000 ' +
      '(small_administrator); author, also of courses and lectures: 15 %',
  }),
  ceutaOrMelilla: flag({ description: 'Whether the pay is income of Ceuta or Melilla: 60 % less is withheld' }),
  geographicMobility: flag({
    description:
      'Whether they were unemployed and moved house for the work, in this year or the one before: 2,000 more are expenses',
  }),
  province: nullable(
    text({
      pattern: '^(0[1-9]|[1-4][0-9]|5[0-2])$',
      description: 'Where they live: the first two digits of the postal code, for model 190',
    }),
  ),
  spouseNif: nullable(
    text({ max: 20, description: 'Spanish tax id of the spouse in familySituation 2, for model 190' }),
  ),
  subkey: nullable(
    choice(['01', '02', '03', '04'], {
      description:
        'Subkey of model 190. administrator: 01 with social security like employees, 04 without; small_administrator: likewise 02 and ' +
        '03; author: 02 of courses and lectures, 03 of works',
    }),
  ),
};

export const TaxDataInput = Type.Object(
  {
    familySituation: Type.Optional(nullable(TAX_DATA.familySituation)),
    children: Type.Optional(nullable(TAX_DATA.children)),
    childrenUnderThree: Type.Optional(nullable(TAX_DATA.childrenUnderThree)),
    childrenInFull: Type.Optional(nullable(TAX_DATA.childrenInFull)),
    birthYear: Type.Optional(TAX_DATA.birthYear),
    disability: Type.Optional(nullable(TAX_DATA.disability)),
    needsHelp: Type.Optional(nullable(TAX_DATA.needsHelp)),
    disabledChildren: Type.Optional(nullable(TAX_DATA.disabledChildren)),
    ascendants: Type.Optional(nullable(TAX_DATA.ascendants)),
    withholding: Type.Optional(nullable(TAX_DATA.withholding)),
    ceutaOrMelilla: Type.Optional(nullable(TAX_DATA.ceutaOrMelilla)),
    geographicMobility: Type.Optional(nullable(TAX_DATA.geographicMobility)),
    province: Type.Optional(TAX_DATA.province),
    spouseNif: Type.Optional(TAX_DATA.spouseNif),
    subkey: Type.Optional(TAX_DATA.subkey),
  },
  { additionalProperties: false },
);

/** Declarations of an employee, with what only model 190 asks for. */
export interface TaxData extends Family {
  /** First two digits of the postal code of their home. */
  readonly province: string | null;
  /** In familySituation 2. */
  readonly spouseNif: string | null;
  /** Only administrators and authors have one. */
  readonly subkey: PaySubkey | null;
}

/** Situation assumed for an employee who has declared nothing (RIRPF, art. 88.1). */
const UNDECLARED: TaxData = {
  familySituation: 3,
  children: 0,
  childrenUnderThree: 0,
  childrenInFull: false,
  birthYear: null,
  disability: 0,
  needsHelp: false,
  disabledChildren: [],
  ascendants: [],
  withholding: 'ordinary',
  ceutaOrMelilla: false,
  geographicMobility: false,
  province: null,
  spouseNif: null,
  subkey: null,
};

interface Versioned {
  readonly family: TaxData;
  /** 0 before the first change. */
  readonly version: number;
}

/** Reads the tax data of an employee. @throws ServiceError not_found */
export async function readTaxData(reader: Reader, employeeId: string): Promise<Versioned> {
  const row = await findRow(reader, EmployeeTaxData, { employeeId });
  if (row !== undefined) return shown(row);
  if ((await findRow(reader, Employee, { id: employeeId })) === undefined) throw notFound('This employee');
  return { family: UNDECLARED, version: 0 };
}

/**
 * Replaces all tax data; members left out count as undeclared.
 * @param expectedVersion the version that the caller has seen; null for any
 * @throws ServiceError not_found, stale_version, validation_failed
 */
export async function replaceTaxData(
  trx: Db,
  ctx: Context,
  employeeId: string,
  input: Input<typeof TaxDataInput>,
  expectedVersion: number | null,
): Promise<Versioned> {
  await lockEmployee(trx, employeeId);
  const current = await EmployeeTaxData.query(trx).findOne({ employee_id: employeeId });
  assertVersion({ version: current?.version ?? 0 }, expectedVersion);
  const given = Object.entries(input).filter(([, value]) => value !== null);
  const family = checked({ ...UNDECLARED, ...Object.fromEntries(given) });
  const row =
    current === undefined
      ? await insertRow(trx, ctx, EmployeeTaxData, { employeeId, ...family })
      : await patchRow(trx, ctx, EmployeeTaxData, current, { ...family });
  return shown(row);
}

/** Checks that the declarations are consistent, and normalizes the tax id of a spouse. @throws ServiceError validation_failed */
function checked(data: TaxData): TaxData {
  checkChildren(data);
  const { familySituation, withholding, subkey } = data;
  const subkeys: readonly string[] = PAY_SUBKEYS[withholding];
  if (subkey !== null && !subkeys.includes(subkey)) {
    const message =
      subkeys.length === 0
        ? `must be null with withholding ${withholding}`
        : `must be ${subkeys.join(' or ')} with withholding ${withholding}`;
    throw invalidMember('/subkey', 'not_applicable', message);
  }
  if (data.spouseNif === null) return data;
  if (familySituation !== 2) {
    throw invalidMember('/spouseNif', 'not_applicable', 'must be null, because only familySituation 2 has it');
  }
  const spouseNif = normalizeTaxId(SPAIN, data.spouseNif);
  if (spouseNif === null || !isPersonsTaxId(SPAIN, spouseNif)) {
    throw invalidMember('/spouseNif', 'invalid_format', 'must be the Spanish tax id of a person');
  }
  return { ...data, spouseNif };
}

function checkChildren({ familySituation, children, childrenUnderThree, disabledChildren }: Family): void {
  if (familySituation === 1 && children === 0) {
    throw invalidMember('/children', 'out_of_range', 'must be at least 1 in familySituation 1');
  }
  if (childrenUnderThree > children) {
    throw invalidMember('/childrenUnderThree', 'out_of_range', 'must not be more than children');
  }
  if (disabledChildren.length > children) {
    throw invalidMember('/disabledChildren', 'out_of_range', 'must not be more than children');
  }
}

function shown({ version, ...row }: EmployeeTaxData): Versioned {
  const declared = Object.keys(UNDECLARED).map((member) => [member, row[member as keyof typeof row]]);
  return { family: Object.fromEntries(declared) as TaxData, version };
}
