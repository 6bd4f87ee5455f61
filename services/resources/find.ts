/** Finds rows of declared resources by the ids of the path, including the parent's. */

import type { Db, Read } from '../../db/database.ts';
import { fromRow, type JsonRow, type TenantModel } from '../../db/models/base.ts';
import { columnName } from '../../db/models/columns.ts';
import { notFound } from '../../domain/errors.ts';
import { wordsOf } from '../../domain/words.ts';
import type { ResourceDeclaration } from './declaration.ts';
import type { Row } from './fields.ts';

/** The ids in a path, by parameter. */
export type Ids = Readonly<Record<string, string>>;

/**
 * The member that ties a row to its parent in the path, with its value; empty for resources without a parent.
 * @param locked locks the parent until the transaction ends, so that changes of parent and children see each other
 * @throws ServiceError not_found
 */
export async function parentOf(db: Db, { parent }: ResourceDeclaration, params: Ids, locked?: 'locked'): Promise<Row> {
  if (parent === undefined) return {};
  const { id } = params;
  const found = db(parent.table).where({ id }).first('id');
  const row: unknown = await (locked ? found.forShare() : found);
  if (row === undefined) throw notFound(parent.phrase);
  return { [parent.member]: id };
}

/** The row of the path; undefined when there is none, or it belongs to another parent. */
export async function readOne(
  read: Read,
  { model, parent, idParameter = 'id' }: ResourceDeclaration,
  params: Ids,
): Promise<TenantModel | undefined> {
  const within = parent === undefined ? '' : ` and "${columnName(parent.member)}" = :parent`;
  const sql = `select * from "${model.tableName}" where id = :id${within}`;
  const [row] = await read<JsonRow>(sql, { id: params[idParameter] ?? null, parent: params.id ?? null });
  return row === undefined ? undefined : fromRow(model, row);
}

/** The row of the path, locked. @throws ServiceError not_found */
export async function lockOne(
  trx: Db,
  { name, model, parent, idParameter = 'id' }: ResourceDeclaration,
  params: Ids,
): Promise<TenantModel> {
  const within = parent === undefined ? {} : columns({ [parent.member]: params.id });
  const row = await model
    .query(trx)
    .findOne({ id: params[idParameter], ...within })
    .forUpdate();
  if (row === undefined) throw notFound(`This ${wordsOf(name)}`);
  return row;
}

/** Members as columns. */
export function columns(values: Row): Row {
  return Object.fromEntries(Object.entries(values).map(([member, value]) => [columnName(member), value]));
}
