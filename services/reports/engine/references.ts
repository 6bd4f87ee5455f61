/** Checks that the records which parameters of reports name exist: every report answers alike. */
import type { Reader } from '../../../db/database.ts';
import { isUuid } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import type { Values } from './declaration.ts';

/** Tables of the records, by parameter. */
const TABLES = {
  partner_id: ['partners', 'This partner'],
  warehouse_id: ['warehouses', 'This warehouse'],
  department_id: ['departments', 'This department'],
  employee_id: ['employees', 'This employee'],
  item_id: ['items', 'This item'],
  project_id: ['projects', 'This project'],
  cost_center_id: ['cost_centers', 'This cost center'],
  budget_id: ['budgets', 'This budget'],
} as const;
const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

/** @throws ServiceError not_found naming the parameter */
export async function assertReferences(reader: Reader, params: Values): Promise<void> {
  const named = NAMES.filter((name) => isUuid(String(params[name] ?? '')));
  if (named.length === 0) return;
  const parts = named.map((name) => `exists (select from ${TABLES[name][0]} where id = :${name}::uuid) as ${name}`);
  const values = Object.fromEntries(named.map((name) => [name, String(params[name])]));
  const [found] = await query<Record<string, boolean>>(reader, `select ${parts.join(', ')}`, values);
  const missing = named.find((name) => found?.[name] !== true);
  if (missing !== undefined) throw notFoundByParameter(TABLES[missing][1], missing);
}

/** Whether parameters of a report name records, which may not exist. */
export function nameRecords(parameters: object): boolean {
  return NAMES.some((name) => name in parameters);
}
