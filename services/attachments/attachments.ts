/** Files that people attach to records. Whoever may read a record may read and attach its files (decision 0185). */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context } from '../../db/context.ts';
import type { Database, Db, Reader } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Attachment } from '../../db/models/attachments.ts';
import { fromRow, type JsonRow } from '../../db/models/base.ts';
import { fragment, statementOf } from '../../db/queries/fragments.ts';
import { query, runOn } from '../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../domain/errors.ts';
import { fileName } from '../../domain/file-names.ts';
import { ATTACHMENT, findFileOf, storeAttachment } from '../files/files.ts';
import type { ObjectStore } from '../objects/store.ts';
import { isOwnOrManaged, lockAdded, type Member } from '../subjects/added.ts';
import { assertSubject, type Subject } from '../subjects/subjects.ts';
import { contentTypeOf } from './content.ts';
import { claimObject, keepObject, keyOf } from './objects.ts';

/** The largest attachment, in bytes. */
export const MOST_BYTES = 20 * 1024 * 1024;

export const ATTACHMENTS = { model: Attachment, name: 'This file' };

export interface AttachmentDeps {
  readonly database: Database;
  /** null: contents are in the database. */
  readonly store: ObjectStore | null;
  /** The most bytes of all attachments of a company. */
  readonly mostBytes: number;
}

export interface NewAttachment extends Subject {
  readonly name: string;
  readonly content: Uint8Array;
}

/** An attachment, whoever asks: for signed links. */
export async function findAttachment(reader: Reader, id: string): Promise<Attachment | undefined> {
  const [row] = await runOn<JsonRow>(reader, statementOf(fragment('select * from attachments where id = ?', id)));
  return row === undefined ? undefined : fromRow(Attachment, row);
}

/** Its bytes. @throws ServiceError not_found, unavailable when the store does not answer */
export async function contentOf(
  reader: Reader,
  store: ObjectStore | null,
  { id, tenantId, inStore }: Attachment,
): Promise<Uint8Array | Readable> {
  if (!inStore) return (await findFileOf(reader, ATTACHMENT, id)).content;
  if (store === null)
    throw new ServiceError('unavailable', 'The store of attachments is not configured; set S3_ENDPOINT');
  const stream = await store.get(keyOf(tenantId, id));
  if (stream === null) throw notFound('This file');
  return stream;
}

/**
 * Attaches a file to a record.
 * @throws ServiceError validation_failed (record, name, kind of file, no room left), unavailable when the store does not answer
 */
export async function attach(
  { database, store, mostBytes }: AttachmentDeps,
  ctx: Context,
  { permissions }: Member,
  { entityType, entityId, name, content }: NewAttachment,
): Promise<string> {
  const subject = { entityType, entityId };
  const contentType = await contentTypeOf(name, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const id = newId();
  const check = async (trx: Db) => {
    await assertSubject(trx, permissions, subject);
    await assertRoom(trx, content.length, mostBytes);
  };
  if (store !== null) {
    // What is in the store and not kept within the hour is removed again: nothing is left behind by a crash or a refusal.
    await database.withTenant(ctx, async (trx) => {
      await check(trx);
      await claimObject(trx, ctx, id);
    });
    await store.put(keyOf(ctx.tenantId, id), content, sha256);
  }
  await database.withTenant(ctx, async (trx) => {
    await check(trx);
    if (store === null) await storeAttachment(trx, ctx, { id, name, contentType, content });
    else await keepObject(trx, id);
    // Others that come at once have found the same room.
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`attachments:${ctx.tenantId}`]);
    await assertRoom(trx, content.length, mostBytes);
    const { userId, actor } = ctx;
    const size = content.length;
    const values = { id, ...subject, name, contentType, size, sha256, userId, actor, inStore: store !== null };
    await insertRow(trx, ctx, Attachment, values);
  });
  return id;
}

/** Renames a file. @throws ServiceError not_found, forbidden, stale_version */
export async function renameAttachment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  { name, ifMatch }: { readonly name?: string | undefined; readonly ifMatch: number | null },
): Promise<void> {
  const current = await lockOwn(trx, ctx, member, id, ifMatch);
  if (name === undefined) return;
  const shown = fileName(name);
  if (shown === '') throw invalidMember('/name', 'too_short', 'must name the file');
  await patchRow(trx, ctx, Attachment, current, { name: shown });
}

/** Deletes a file with its content. @throws ServiceError not_found, forbidden, stale_version */
export async function removeAttachment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  await removeRow(trx, ctx, Attachment, await lockOwn(trx, ctx, member, id, ifMatch));
}

async function lockOwn(trx: Db, ctx: Context, member: Member, id: string, ifMatch: number | null): Promise<Attachment> {
  const current = await lockAdded(trx, ATTACHMENTS, member, id);
  if (!isOwnOrManaged(current, ctx, member)) {
    throw new ServiceError('forbidden', 'A file is changed by who attached it, an owner or an administrator');
  }
  assertVersion(current, ifMatch);
  return current;
}

async function assertRoom(trx: Db, size: number, most: number): Promise<void> {
  const [row] = await query<{ taken: string }>(trx, 'select coalesce(sum(size), 0) as taken from attachments', {});
  if (Number(row?.taken ?? 0) + size <= most) return;
  throw invalidMember(
    '/file',
    'no_room',
    `must fit into the ${Math.floor(most / 1024 ** 2)} MiB of the company's attachments; delete others first`,
  );
}
