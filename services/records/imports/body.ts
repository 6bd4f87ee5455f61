/** Turns a row of a file into the body of a request. */
import type { TenantModel } from '../../../db/models/base.ts';
import type { Row } from '../resources/field.ts';
import type { Columns } from './columns.ts';
import type { PreparedRow } from './prepare.ts';

/**
 * Builds the body of a POST or PATCH. An empty cell means the default in a new record. In an existing one it clears nullable members,
 * is a fault of required ones, and leaves others unchanged.
 */
export function requestBody(
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
        faults.push({ column: column.header, code: 'read_only', message: 'cannot be changed any more' });
      }
    } else if (value !== null || column.nullable) body[column.name] = value;
    else if (column.required) faults.push({ column: column.header, code: 'required', message: 'must not be empty' });
  }
  return body;
}
