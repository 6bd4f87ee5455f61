/** Tax data: declarations of employees about family and age, on which the income tax on their wages depends. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Employee, EmployeeTaxData } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import type { Family } from '../../../domain/staff/payroll/irpf.ts';
import {
  DISABILITIES,
  type Disability,
  FAMILY_SITUATIONS,
  WITHHOLDINGS,
} from '../../../domain/staff/payroll/irpf-rules.ts';
import { choice, flag, type Input, integer, nullable } from '../../platform/validation/schemas.ts';
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
  },
  { additionalProperties: false },
);

/** Situation assumed for an employee who has declared nothing (RIRPF, art. 88.1). */
const UNDECLARED: Family = {
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
};

interface Versioned {
  readonly family: Family;
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
  const family: Family = { ...UNDECLARED, ...Object.fromEntries(given) };
  check(family);
  const row =
    current === undefined
      ? await insertRow(trx, ctx, EmployeeTaxData, { employeeId, ...family })
      : await patchRow(trx, ctx, EmployeeTaxData, current, { ...family });
  return shown(row);
}

/** Checks that the declarations are consistent. @throws ServiceError validation_failed */
function check({ familySituation, children, childrenUnderThree, disabledChildren }: Family): void {
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
  return { family: Object.fromEntries(declared) as Family, version };
}
