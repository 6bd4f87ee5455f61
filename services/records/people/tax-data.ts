/** Tax data: declarations of employees about family and age, on which the income tax on their wages depends. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Employee, EmployeeTaxData } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import type { Family } from '../../../domain/staff/payroll/irpf.ts';
import { FAMILY_SITUATIONS } from '../../../domain/staff/payroll/irpf-rules.ts';
import { flag, type Input, integer, nullable } from '../../platform/validation/schemas.ts';
import { lockEmployee } from './employment.ts';

const [FIRST, , LAST] = FAMILY_SITUATIONS;

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
  birthYear: nullable(integer({ minimum: 1900, maximum: 2100, description: 'People over 65 and over 75 pay less' })),
};

export const TaxDataInput = Type.Object(
  {
    familySituation: Type.Optional(nullable(TAX_DATA.familySituation)),
    children: Type.Optional(nullable(TAX_DATA.children)),
    childrenUnderThree: Type.Optional(nullable(TAX_DATA.childrenUnderThree)),
    childrenInFull: Type.Optional(nullable(TAX_DATA.childrenInFull)),
    birthYear: Type.Optional(TAX_DATA.birthYear),
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
function check({ familySituation, children, childrenUnderThree }: Family): void {
  if (familySituation === 1 && children === 0) {
    throw invalidMember('/children', 'out_of_range', 'must be at least 1 in familySituation 1');
  }
  if (childrenUnderThree > children) {
    throw invalidMember('/childrenUnderThree', 'out_of_range', 'must not be more than children');
  }
}

function shown(row: EmployeeTaxData): Versioned {
  const { familySituation, children, childrenUnderThree, childrenInFull, birthYear, version } = row;
  const family = {
    familySituation: familySituation as Family['familySituation'],
    children,
    childrenUnderThree,
    childrenInFull,
    birthYear,
  };
  return { family, version };
}
