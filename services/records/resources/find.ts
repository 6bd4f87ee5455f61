/** Finds rows of declared resources by the ids in the path, including the parent's. */

import type { Db, Reader } from '../../../db/database.ts';
import type { JsonRow, TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import { columnName } from '../../../db/models/columns.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { spacedWords } from '../../../domain/words.ts';
import type { ResourceDeclaration } from './declaration.ts';

/** Ids in a path, by parameter. */
export type Ids = Readonly<Record<string, string>>;

/**
 * Finds the parent in the path. Returns the member that refers to it, with its id; empty for resources without a parent.
 * @throws ServiceError not_found
 */
export async function findParent(reader: Reader, declaration: ResourceDeclaration, params: Ids): Promise<Tie> {
  return await tieTo(reader, declaration, params, '');
}

/** Finds the parent like `findParent`, and locks it until the transaction ends: changes of parent and children see each other. */
export async function lockParent(trx: Db, declaration: ResourceDeclaration, params: Ids): Promise<Tie> {
  return await tieTo(trx, declaration, params, ' for share');
}

type Tie = Readonly<Record<string, string>>;

async function tieTo(reader: Reader, { parent }: ResourceDeclaration, { id }: Ids, lock: string): Promise<Tie> {
  if (parent === undefined || id === undefined) return {};
  const [row] = await prepared(reader, `select id from "${parent.table}" where id = :id${lock}`, { id });
  if (row === undefined) throw notFound(parent.phrase);
  return { [parent.member]: id };
}

/** Reads the row in the path by a model or view; undefined if there is none, or it belongs to another parent. */
export async function readOne(
  reader: Reader,
  { parent, idParameter = 'id' }: ResourceDeclaration,
  { tableName }: TenantModelClass,
  params: Ids,
): Promise<JsonRow | undefined> {
  const within = parent === undefined ? '' : ` and "${columnName(parent.member)}" = :parent`;
  const sql = `select * from "${tableName}" where id = :id${within}`;
  const [row] = await prepared<JsonRow>(reader, sql, { id: params[idParameter] ?? null, parent: params.id ?? null });
  return row;
}

/** Reads rows by a model or view; those that are not there are left out. */
export async function readMany(
  reader: Reader,
  { tableName }: TenantModelClass,
  ids: readonly string[],
): Promise<JsonRow[]> {
  return await prepared<JsonRow>(reader, `select * from "${tableName}" where id = any(:ids::uuid[])`, {
    ids: [...ids],
  });
}

/** Locks the row in the path. @throws ServiceError not_found */
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
  if (row === undefined) throw notFound(`This ${spacedWords(name)}`);
  return row;
}

/** Converts members to columns. */
export function columns<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([member, value]) => [columnName(member), value]));
}
