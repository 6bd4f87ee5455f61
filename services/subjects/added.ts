/** What people add to records: comments and attachments. Whoever may read a record sees them; whoever added one may change it. */
import type { Context } from '../../db/context.ts';
import type { Db, Reader } from '../../db/database.ts';
import { fromRow, type JsonRow, type TenantModel, type TenantModelClass } from '../../db/models/base.ts';
import { fragment, joined, statementOf, where } from '../../db/queries/fragments.ts';
import type { ListSource } from '../../db/queries/run-list.ts';
import { runOn } from '../../db/sql.ts';
import { notFound } from '../../domain/errors.ts';
import { isAdministrator } from '../../domain/permissions.ts';
import { readableTypes } from './subjects.ts';

/** Who reads, adds and changes. */
export interface Member {
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/** A comment or an attachment. */
export interface Added extends TenantModel {
  readonly entityType: string;
  /** Who added it; null if an API key did. */
  readonly userId: string | null;
  /** Who added it if it was not a user, as in the audit log. */
  readonly actor: string | null;
}

/** What is added, and what messages call one of them. */
export interface AddedKind<M extends Added> {
  readonly model: TenantModelClass<M>;
  readonly name: string;
}

/** Those of records that somebody may read, each with the name of its author. */
export function addedFor<M extends Added>({ model }: AddedKind<M>, member: Member): ListSource {
  const table = model.tableName;
  return {
    from: `${table} left join users u on u.id = ${table}.user_id`,
    table,
    columns: [`${table}.*`, 'u.name as author'],
    where: [fragment(`${table}.entity_type = any(?)`, readableTypes(member.permissions))],
  };
}

/** One of them. @throws ServiceError not_found, also for those of records that may not be read */
export async function readAdded<M extends Added>(
  reader: Reader,
  kind: AddedKind<M>,
  member: Member,
  id: string,
): Promise<M> {
  const { model, name } = kind;
  const { from, columns = [], where: readable } = addedFor(kind, member);
  const sql = joined([
    fragment(`select ${columns.join(', ')} from ${from}`),
    where([fragment(`${model.tableName}.id = ?`, id)], readable),
  ]);
  const [row] = await runOn<JsonRow>(reader, statementOf(sql));
  if (row === undefined) throw notFound(name);
  return fromRow(model, row);
}

/** The same without its author, until the transaction ends. @throws ServiceError not_found */
export async function lockAdded<M extends Added>(
  trx: Db,
  { model, name }: AddedKind<M>,
  { permissions }: Member,
  id: string,
): Promise<M> {
  const found = model.query(trx).findOne({ id }).whereIn('entity_type', readableTypes(permissions));
  const row = (await found.forUpdate()) as M | undefined;
  if (row === undefined) throw notFound(name);
  return row;
}

/** Whether it was added by whoever asks. */
export function isOwn({ userId, actor }: Added, ctx: Context): boolean {
  return userId === null ? actor === ctx.actor : userId === ctx.userId;
}

/** Whether somebody may do what authors and administrators do. */
export function isOwnOrManaged(added: Added, ctx: Context, { role }: Member): boolean {
  return isOwn(added, ctx) || isAdministrator(role);
}
