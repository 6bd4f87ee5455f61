/**
 * Comments and attachments that people add to records. Readers of the record see them; their authors may change them.
 */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow, type TenantModel, type TenantModelClass } from '../../../db/models/base.ts';
import { fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';
import type { ListSource } from '../../../db/queries/run-list.ts';
import { runOn } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { isAdministrator } from '../../../domain/permissions.ts';
import { type Permissions, readableTypes, subjectMember } from '../../platform/visibility/reading.ts';

/** A member who reads or changes contributions. */
export interface Member {
  readonly role: string;
  readonly permissions: Permissions;
}

/** A comment or an attachment. */
export interface Contribution extends TenantModel {
  readonly entityType: string;
  /** The author; null for an API key. */
  readonly userId: string | null;
  /** The author when it is not a user, as in the audit log. */
  readonly actor: string | null;
}

/** A kind of contribution, with its name in messages. */
export interface ContributionKind<M extends Contribution> {
  readonly model: TenantModelClass<M>;
  readonly name: string;
}

/** Lists the contributions on records that the member may read, each with its author's name. */
export function contributionSource<M extends Contribution>(
  { model }: ContributionKind<M>,
  { permissions }: Member,
): ListSource {
  const table = model.tableName;
  return {
    from: `${table} left join users u on u.id = ${table}.user_id`,
    table,
    columns: [`${table}.*`, 'u.name as author'],
    where: [fragment(`${table}.entity_type = any(?)`, readableTypes(permissions, subjectMember(model.access)))],
  };
}

/** Finds a contribution. @throws ServiceError not_found, also if the member may not read the record */
export async function findContribution<M extends Contribution>(
  reader: Reader,
  kind: ContributionKind<M>,
  member: Member,
  id: string,
): Promise<M> {
  const { model, name } = kind;
  const { from, columns = [], where: readable } = contributionSource(kind, member);
  const sql = joined([
    fragment(`select ${columns.join(', ')} from ${from}`),
    where([fragment(`${model.tableName}.id = ?`, id)], readable),
  ]);
  const [row] = await runOn<JsonRow>(reader, toStatement(sql));
  if (row === undefined) throw notFound(name);
  return fromRow(model, row);
}

/** Locks a contribution until the transaction ends; omits its author's name. @throws ServiceError not_found */
export async function lockContribution<M extends Contribution>(
  trx: Db,
  { model, name }: ContributionKind<M>,
  { permissions }: Member,
  id: string,
): Promise<M> {
  const readable = readableTypes(permissions, subjectMember(model.access));
  const found = model.query(trx).findOne({ id }).whereIn('entity_type', readable);
  const row = (await found.forUpdate()) as M | undefined;
  if (row === undefined) throw notFound(name);
  return row;
}

/** Whether the caller is the author. */
export function isAuthor({ userId, actor }: Contribution, ctx: Context): boolean {
  return userId === null ? actor === ctx.actor : userId === ctx.userId;
}

/** Whether the member is the author, an owner or an administrator. */
export function isAuthorOrManager(added: Contribution, ctx: Context, { role }: Member): boolean {
  return isAuthor(added, ctx) || isAdministrator(role);
}
