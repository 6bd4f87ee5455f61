/** Locks documents: what they say cannot be changed any more, while what follows from them goes on (decision 0203). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { TIME_ZONE, TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { isLocked, type LockTimes } from '../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { keepDocumentPdf } from '../../platform/files/files.ts';
import { type DocumentEventName, documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';

export const LOCK_TIMES = ['now', 'end_of_day'] as const;

/**
 * Locks a document at once, or at the end of the company's day. A document that is locked, or has a time set, stays as it is.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition (cancelled)
 */
export async function lockDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  when: (typeof LOCK_TIMES)[number],
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadDocument(trx, documentId, options.docType);
  assertVersion(document.row, options.ifMatch);
  const { status, code, lockedAt, lockDueAt } = document.row;
  if (status === DOCUMENT_STATUS.cancelled)
    throw new ServiceError('invalid_transition', `${code ?? 'The draft'} is cancelled and cannot be locked`);
  if (lockedAt !== null) return documentAnswer(document);
  if (when === 'now' || isLocked(document.row, ctx.now)) return await lock(trx, ctx, document);
  if (lockDueAt !== null) return documentAnswer(document);
  const times = { lockedAt: null, lockDueAt: await endOfDay(trx, ctx) };
  return await write(trx, ctx, document, times, 'document.updated');
}

/**
 * Locks a document whose lock is due. Idempotent; its lifecycle calls it.
 * @returns the time at which it will be locked; null if it is locked, or will not be
 */
export async function lockIfDue(trx: Db, ctx: Context, documentId: string): Promise<string | null> {
  const document = await loadDocument(trx, documentId).catch(unlessGone);
  const due = document?.row.lockDueAt ?? null;
  if (document === undefined || due === null || !isLocked(document.row, ctx.now)) return due;
  await lock(trx, ctx, document);
  return null;
}

/**
 * Unlocks a document, or cancels a lock that is due. Changes nothing if there is neither.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version
 */
export async function unlockDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadDocument(trx, documentId, options.docType);
  assertVersion(document.row, options.ifMatch);
  const { lockedAt, lockDueAt } = document.row;
  if (lockedAt === null && lockDueAt === null) return documentAnswer(document);
  return await write(trx, ctx, document, { lockedAt: null, lockDueAt: null }, 'document.updated');
}

/** Locks a document. A lock that was due counts from then, however late it is recorded. */
async function lock(trx: Db, ctx: Context, document: LoadedDocument): Promise<DocumentAnswer> {
  const { row } = document;
  const lockedAt = isLocked(row, ctx.now) ? row.lockDueAt : ctx.now.toISOString();
  return await write(trx, ctx, document, { lockedAt, lockDueAt: null }, 'document.locked');
}

/** Writes the times. This needs no open period, and a stored PDF stays. */
async function write(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  times: LockTimes,
  event: DocumentEventName,
): Promise<DocumentAnswer> {
  const { row } = document;
  const next = { ...document, row: changedRow(ctx, row, times) };
  const fields = (['lockedAt', 'lockDueAt'] as const).filter((member) => row[member] !== times[member]);
  const changes = new Changes(ctx);
  const shown = changeDocument(changes, document, next, documentEvent(event, next.row, { fields }));
  changes.follow(keepDocumentPdf, { documentId: row.id, version: row.version });
  await changes.write(trx);
  return documentAnswer(next, shown);
}

/** The moment at which the company's next day begins. */
async function endOfDay(trx: Db, { now }: Context): Promise<string> {
  const sql = `select (${TODAY} + 1)::timestamp at time zone ${TIME_ZONE} as "endsAt"`;
  const [day] = await query<{ endsAt: string }>(trx, sql, { now: now.toISOString() });
  if (!day) throw new Error('the statement always returns one row');
  return new Date(day.endsAt).toISOString();
}

function unlessGone(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'not_found') return undefined;
  throw error;
}
