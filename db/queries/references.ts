/** Checks in one query that all references of a body exist in the tenant and can be used. */
import { type FieldError, validationFailed } from '../../domain/errors.ts';
import type { Db } from '../database.ts';

export interface Reference {
  /** JSON pointer of the member that holds the id. */
  readonly pointer: string;
  readonly table: string;
  readonly id: string;
  /** Whether the table has a column `active` that must be true; an account must not be a heading either. */
  readonly mustBeActive?: boolean;
}

/** SQL of usable records, for tables where being active is not enough. */
const USABLE: Readonly<Record<string, string>> = { accounts: 'active and not is_heading' };
const UNUSABLE: Readonly<Record<string, string>> = {
  accounts: 'refers to an account that is inactive or a heading',
  asset_groups: 'refers to an asset group that is inactive: name another, or make it active again',
  cost_centers: 'refers to a cost center that is inactive: name another, or make it active again',
  projects: 'refers to a project that is closed: name another, or make it active again',
};
const TABLE = /^[a-z_]+$/;

/** @throws ServiceError validation_failed with invalid_reference at each member that is wrong */
export async function checkReferences(db: Db, references: readonly Reference[]): Promise<void> {
  if (references.length === 0) return;
  const parts = references.map(({ table, mustBeActive }, index) => {
    if (!TABLE.test(table)) throw new TypeError(`${table} is not a table name`);
    return `select ${index} as position, ${mustBeActive ? (USABLE[table] ?? 'active') : 'true'} as usable from ${table} where id = ?`;
  });
  const { rows } = (await db.raw(
    parts.join(' union all '),
    references.map(({ id }) => id),
  )) as { rows: { position: number; usable: boolean }[] };
  const found = new Map(rows.map((row) => [row.position, row.usable]));
  const faults = references.flatMap(({ pointer, table }, index): FieldError[] => {
    if (found.get(index) === true) return [];
    const message = found.has(index)
      ? (UNUSABLE[table] ?? 'refers to an inactive record')
      : 'refers to a record that does not exist';
    return [{ pointer, code: 'invalid_reference', message }];
  });
  if (faults.length > 0) throw validationFailed(faults);
}
