/** The request that a row of a file stands for. */
import type { TenantModel } from '../../db/models/base.ts';
import type { Row } from '../resources/fields.ts';
import type { Columns } from './columns.ts';
import type { PreparedRow } from './prepare.ts';

/**
 * The body of POST or PATCH. An empty cell is nothing for a new record, which gets its defaults; in a present one it clears
 * what may be empty and leaves alone what has a value always.
 */
export function bodyOf(
  columns: Columns,
  { values, faults, later }: PreparedRow,
  current: TenantModel | undefined,
): Row {
  const body: Row = {};
  const existing = current as unknown as Row | undefined;
  for (const column of columns) {
    if (column === null || column.write === 'never') continue;
    const value = values[column.name];
    if (existing === undefined) {
      if (value !== null && !later.includes(column.name)) body[column.name] = value;
    } else if (column.write === 'create') {
      if (value !== null && value !== existing[column.name]) {
        faults.push({ column: column.header, code: 'read_only', message: 'cannot change any more' });
      }
    } else if (value !== null || column.nullable) body[column.name] = value;
    else if (column.required) faults.push({ column: column.header, code: 'required', message: 'must not be empty' });
  }
  return body;
}
