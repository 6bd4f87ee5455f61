/** Answers to quotations: accepted, rejected, or none in time. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { DOCUMENT_STATUS, type DocumentStatus } from '../../../domain/trade/documents/types.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadDocument, loadForAction } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';

export const ANSWERS = ['accept', 'reject'] as const;
export type Answer = (typeof ANSWERS)[number];

/** Who answers, as they call themselves, and what they say. */
export interface Answering {
  readonly name?: string | null | undefined;
  readonly note?: string | null | undefined;
}

const STATUS: Readonly<Record<Answer, DocumentStatus>> = {
  accept: DOCUMENT_STATUS.accepted,
  reject: DOCUMENT_STATUS.rejected,
};

/**
 * Accepts or rejects a quotation that was sent.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition (it was answered, or has expired)
 */
export async function answerQuotation(
  trx: Db,
  ctx: Context,
  documentId: string,
  answer: Answer,
  { name, note }: Answering,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadForAction(trx, ctx, documentId, answer, options);
  if (hasExpired(document, ctx.now)) {
    const message = `${document.row.code} has expired and cannot be answered any more; revise it, and send it again`;
    throw new ServiceError('invalid_transition', message);
  }
  const decided = { decidedAt: ctx.now.toISOString(), decidedBy: name ?? null, decisionNote: note ?? null };
  return await become(trx, ctx, document, { status: STATUS[answer], expiresAt: null, ...decided });
}

/**
 * Marks a quotation as expired if nobody has answered in time. Idempotent; its lifecycle calls it.
 * @returns when it expires; null if it has, or does not
 */
export async function expireIfDue(trx: Db, ctx: Context, documentId: string): Promise<string | null> {
  const document = await loadDocument(trx, documentId).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (document === undefined || document.row.status !== DOCUMENT_STATUS.open) return null;
  if (!hasExpired(document, ctx.now)) return document.row.expiresAt;
  await become(trx, ctx, document, { status: DOCUMENT_STATUS.expired, expiresAt: null });
  return null;
}

/** Whether nobody can accept a quotation any more, even if that is not recorded yet. */
export function hasExpired({ row: { expiresAt } }: Pick<LoadedDocument, 'row'>, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}

async function become(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  values: Partial<LoadedDocument['row']>,
): Promise<DocumentAnswer> {
  const { row } = document;
  const next = { ...document, row: changedRow(ctx, row, values) };
  const fields = Object.keys(values);
  const event = documentEvent('document.updated', next.row, { fields, previousStatus: row.status });
  const changes = new Changes(ctx);
  const shown = changeDocument(changes, document, next, event);
  await changes.write(trx);
  return documentAnswer(next, shown);
}
