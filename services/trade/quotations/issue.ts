/** Issues quotations: from then on they can be accepted, and their content stays as it is. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { localDay, startOfDay } from '../../../domain/records/tables/times.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadForAction } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';

/**
 * Marks a draft quotation as sent: it takes its number unless it has one, and expires when its last valid day is over.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition (it is no draft, or its last valid day has passed)
 */
export async function issueQuotation(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  return documentAnswer(await issued(trx, ctx, await loadForAction(trx, ctx, documentId, 'issue', options)));
}

/** Issues a draft that was read. @returns it as it was written @throws ServiceError invalid_transition */
export async function issued(trx: Db, ctx: Context, draft: LoadedDocument): Promise<LoadedDocument> {
  const { row } = draft;
  const { timezone } = await loadSettings(trx, 'format');
  if (row.validUntil !== null && row.validUntil < localDay(ctx.now, timezone)) {
    const message = `It cannot be sent because it is valid until ${row.validUntil} only; change validUntil first`;
    throw new ServiceError('invalid_transition', message);
  }
  const changes = new Changes(ctx);
  const number = row.number === null ? changes.takeNumber({ seriesId: row.seriesId }) : null;
  const expiresAt = row.validUntil === null ? null : startOfDay(daysAfter(row.validUntil, 1), timezone);
  const values = { status: DOCUMENT_STATUS.open, expiresAt, ...number?.pending };
  const next = { ...draft, row: changedRow(ctx, row, values) };
  const fields = ['status', 'expiresAt', ...(number === null ? [] : ['number', 'code'])];
  changeDocument(
    changes,
    draft,
    next,
    documentEvent('document.updated', next.row, { fields, previousStatus: row.status }),
  );
  await changes.write(trx);
  return { ...next, row: { ...next.row, ...number?.taken } };
}
