/** Finds rows of models by the values of members. */
import type { Reader } from '../database.ts';
import { fromRow, type JsonRow, type TenantModel, type TenantModelClass } from '../models/base.ts';
import { columnName } from '../models/columns.ts';
import { prepared } from '../sql.ts';

/** Finds the first row with these values; undefined if there is none. Each call site must always name the same members. */
export async function findRow<M extends TenantModel>(
  reader: Reader,
  model: TenantModelClass<M>,
  members: Readonly<Record<string, string | number>>,
): Promise<M | undefined> {
  const [row] = await findRows(reader, model, members);
  return row;
}

/** Finds all rows with these values. @param sort the member by which they are ordered */
export async function findRows<M extends TenantModel>(
  reader: Reader,
  model: TenantModelClass<M>,
  members: Readonly<Record<string, string | number>>,
  sort?: string,
): Promise<M[]> {
  const conditions = Object.keys(members).map((member) => `"${columnName(member)}" = :${member}`);
  const order = sort === undefined ? '' : ` order by "${columnName(sort)}"`;
  const sql = `select * from "${model.tableName}" where ${conditions.join(' and ')}${order}`;
  return (await prepared<JsonRow>(reader, sql, members)).map((row) => fromRow(model, row));
}
