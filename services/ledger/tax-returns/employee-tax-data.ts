/** Reads what employees have declared about themselves (model 145), for model 190. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

export interface EmployeeTaxData {
  readonly employeeId: string;
  readonly familySituation: number;
  readonly children: number;
  readonly birthYear: number | null;
  readonly disability: number;
  readonly ascendants: number;
}

const SQL = `select employee_id as "employeeId", family_situation as "familySituation", children, birth_year as "birthYear",
    disability, jsonb_array_length(ascendants) as ascendants
  from employee_tax_data where employee_id = any(:ids::uuid[])`;

/** @returns the data of those who have declared any, by their ids */
export async function readEmployeeTaxData(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmployeeTaxData>> {
  const found = await query<EmployeeTaxData>(reader, SQL, { ids });
  return new Map(found.map((each) => [each.employeeId, each]));
}
