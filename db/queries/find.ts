/** Rows of models by members that they must have. */
import type { Reader } from '../database.ts';
import { fromRow, type JsonRow, type TenantModel, type TenantModelClass } from '../models/base.ts';
import { columnName } from '../models/columns.ts';
import { prepared } from '../sql.ts';

/** The first row with these members, of which each call names the same; undefined when there is none. */
export async function findRow<M extends TenantModel>(
  reader: Reader,
  model: TenantModelClass<M>,
  members: Readonly<Record<string, string | number>>,
): Promise<M | undefined> {
  const [row] = await findRows(reader, model, members);
  return row;
}

/** All rows with these members. @param sort the member that they are ordered by */
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
