/** Files attached to records. Anyone with access to a record may read and attach its files (decision 0185). */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context } from '../../../db/context.ts';
import type { Database, Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Attachment } from '../../../db/models/records/attachments.ts';
import { fragment, toStatement } from '../../../db/queries/fragments.ts';
import { query, runOn } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import { fileName } from '../../../domain/file-names.ts';
import { ATTACHMENT, findEntityFile, storeAttachment } from '../../platform/files/files.ts';
import type { ObjectStore } from '../../platform/files/objects/object-store.ts';
import { subjectMember } from '../../platform/visibility/reading.ts';
import { isAuthorOrManager, lockContribution, type Member } from '../commentable/contributions.ts';
import { assertCommentable, type CommentableRecord } from '../commentable/kinds.ts';
import { assertHarmlessName, detectContentType } from './content.ts';
import { claimObject, keepObject, objectKey } from './objects.ts';

/** Maximum size of an attachment, in bytes. */
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;

export const ATTACHMENTS = { model: Attachment, name: 'This file' };

export interface AttachmentDeps {
  readonly database: Database;
  /** null if contents are stored in the database. */
  readonly store: ObjectStore | null;
  /** Maximum size of all of a company's attachments, in bytes. */
  readonly maxTotalBytes: number;
}

export interface NewAttachment extends CommentableRecord {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Finds an attachment without checking permissions, for signed links. */
export async function findAttachment(reader: Reader, id: string): Promise<Attachment | undefined> {
  const [row] = await runOn<JsonRow>(reader, toStatement(fragment('select * from attachments where id = ?', id)));
  return row === undefined ? undefined : fromRow(Attachment, row);
}

/** Reads an attachment's bytes. @throws ServiceError not_found, unavailable when the store does not answer */
export async function readContent(
  reader: Reader,
  store: ObjectStore | null,
  { id, tenantId, inStore }: Attachment,
): Promise<Uint8Array | Readable> {
  if (!inStore) return (await findEntityFile(reader, ATTACHMENT, id)).content;
  if (store === null)
    throw new ServiceError('unavailable', 'The store of attachments is not configured; set S3_ENDPOINT');
  const stream = await store.get(objectKey(tenantId, id));
  if (stream === null) throw notFound('This file');
  return stream;
}

/**
 * Attaches a file to a record.
 * @throws ServiceError validation_failed (record, name, type of file, no space left), storage_full, body_too_large, unavailable when the
 * store does not answer
 */
export async function attachFile(
  deps: AttachmentDeps,
  ctx: Context,
  { permissions }: Member,
  { entityType, entityId, name, content }: NewAttachment,
): Promise<string> {
  const subject = { entityType, entityId };
  const check = (trx: Db) => assertCommentable(trx, permissions, subject, subjectMember(Attachment.access));
  const file = await storeFile(deps, ctx, { name, content }, check);
  await deps.database.withTenant(ctx, async (trx) => {
    await check(trx);
    await addAttachment(trx, ctx, deps, subject, file);
  });
  return file.id;
}

/** A file that can be attached: its content is in the store, or will be in the database. */
export interface StoredFile extends Pick<NewAttachment, 'name' | 'content'> {
  readonly id: string;
  readonly contentType: string;
  readonly sha256: string;
}

/**
 * Stores the content of a file that is about to be attached. Objects not kept within the hour are removed, so a crash or a refusal leaves
 * nothing behind.
 * @param check made before anything is stored
 * @throws ServiceError like `attachFile`
 */
export async function storeFile(
  { database, store, maxTotalBytes: mostBytes }: AttachmentDeps,
  ctx: Context,
  { name, content }: Pick<NewAttachment, 'name' | 'content'>,
  check: (trx: Db) => Promise<void> = async () => undefined,
): Promise<StoredFile> {
  const contentType = await detectContentType(name, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const id = newId();
  if (store !== null) {
    await database.withTenant(ctx, async (trx) => {
      await check(trx);
      await assertQuota(trx, content.length, mostBytes);
      await claimObject(trx, ctx, id, content.length);
    });
    await store.put(objectKey(ctx.tenantId, id), content, sha256);
  }
  return { id, name, content, contentType, sha256 };
}

/** Attaches a stored file to a record, in the transaction that needs it. @throws ServiceError like `attachFile` */
export async function addAttachment(
  trx: Db,
  ctx: Context,
  { store, maxTotalBytes: mostBytes }: AttachmentDeps,
  subject: CommentableRecord,
  { id, name, content, contentType, sha256 }: StoredFile,
): Promise<void> {
  const size = content.length;
  await assertQuota(trx, size, mostBytes);
  if (store === null) await storeAttachment(trx, ctx, { id, name, contentType, content });
  else await keepObject(trx, id);
  // Concurrent uploads have seen the same free space.
  await lockName(trx, `attachments:${ctx.tenantId}`);
  await assertQuota(trx, size, mostBytes);
  const { userId, actor } = ctx;
  const values = { id, ...subject, name, contentType, size, sha256, userId, actor, inStore: store !== null };
  await insertRow(trx, ctx, Attachment, values);
}

/** Renames a file. @throws ServiceError not_found, forbidden, stale_version, validation_failed (name) */
export async function renameAttachment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  { name, ifMatch }: { readonly name?: string | undefined; readonly ifMatch: number | null },
): Promise<void> {
  const current = await lockChangeable(trx, ctx, member, id, ifMatch);
  if (name === undefined) return;
  const shown = fileName(name);
  if (shown === '') throw invalidMember('/name', 'too_short', 'must name the file');
  assertHarmlessName(shown, '/name');
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
  await removeRow(trx, ctx, Attachment, await lockChangeable(trx, ctx, member, id, ifMatch));
}

async function lockChangeable(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  ifMatch: number | null,
): Promise<Attachment> {
  const current = await lockContribution(trx, ATTACHMENTS, member, id);
  if (!isAuthorOrManager(current, ctx, member)) {
    throw new ServiceError(
      'forbidden',
      'Only the person who attached it, an owner or an administrator can change a file',
    );
  }
  assertVersion(current, ifMatch);
  return current;
}

async function assertQuota(trx: Db, size: number, most: number): Promise<void> {
  const [row] = await query<{ taken: string }>(trx, 'select coalesce(sum(size), 0) as taken from attachments', {});
  if (Number(row?.taken ?? 0) + size <= most) return;
  throw invalidMember(
    '/file',
    'no_room',
    `must fit into the ${Math.floor(most / 1024 ** 2)} MiB of the company's attachments; delete others first`,
  );
}
