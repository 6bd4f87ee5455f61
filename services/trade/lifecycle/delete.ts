/** Deletes documents that leave no gap: draft invoices, and the last receipt of a series. */

import { Changes } from '../../../db/changes/changes.ts';
import { giveBackNumber } from '../../../db/changes/numbering.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { inUse, ServiceError } from '../../../domain/errors.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { documentArea, documentDay } from '../documents/day.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadForAction } from '../documents/read.ts';
import type { DocumentRow } from '../documents/stored.ts';
import { removeDocument } from '../documents/write.ts';
import { addGoods } from '../stock/add-goods.ts';
import { movementCause } from './goods/move-goods.ts';
import { reverseDocument } from './goods/reverse-document.ts';
import { updateNoteEntries } from './note-entries.ts';

/**
 * Deletes a draft invoice and reopens its bases; or deletes the last receipt of its series: its goods go out on its own date, as if they
 * had never come, its order reopens, and its number becomes free.
 * @throws ServiceError not_found, stale_version, invalid_transition, document_locked, period_closed, not_last_of_series, in_use,
 * insufficient_stock
 */
export async function deleteDocument(trx: Db, ctx: Context, documentId: string, options: ActionOptions): Promise<void> {
  const document = await loadForAction(trx, ctx, documentId, 'delete', options);
  const { row } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  const moves = kind === 'delivery_note';
  if (kind === 'quotation' && row.number !== null) {
    const message = `${row.code} cannot be deleted because it was issued; cancel it instead`;
    throw new ServiceError('invalid_transition', message);
  }
  if (row.number !== null) await assertLast(trx, row);
  if (row.docType === 'PINV') await assertNotSettling(trx, row);
  const changes = new Changes(ctx).hold(documentArea(row.docType), row.periodId);
  addGoods(
    changes,
    await reverseDocument(trx, changes, document, { freed: [], undone: moves, date: row.date }),
    movementCause(row),
  );
  if (moves) updateNoteEntries(changes, document, documentDay(row));
  if (row.number !== null) await giveBackNumber(trx, row.seriesId, row.number);
  removeDocument(changes, document, documentEvent('document.deleted', row));
  await changes.write(trx);
}

/** @throws ServiceError not_last_of_series; in_use when other documents refer to it, even cancelled ones */
async function assertLast(trx: Db, { id, code, number, seriesId }: DocumentRow): Promise<void> {
  const [found] = await query<{ last: boolean; docType: keyof typeof DOCUMENT_TYPES | null; users: number }>(
    trx,
    `select (select next_number = :number::integer + 1 from series
      where id = :seriesId) as last, min(d.doc_type) as "docType", count(*)::integer as users
     from documents d where d.returns = :id or d.id in (select document_id from document_lines where base_id = :id)`,
    { id, number, seriesId },
  );
  if (found?.last !== true) {
    throw new ServiceError(
      'not_last_of_series',
      `${code} cannot be deleted because it is not the last of its series; cancel it instead`,
    );
  }
  if (found.docType !== null) {
    const { entityType } = DOCUMENT_TYPES[found.docType];
    throw inUse([{ entityType, count: found.users }]);
  }
}

/** @throws ServiceError in_use for the draft by which a salesperson is paid */
async function assertNotSettling(trx: Db, { id }: DocumentRow): Promise<void> {
  const [settlement] = await query<{ code: string }>(
    trx,
    'select code from commission_settlements where document_id = :id::uuid limit 1',
    { id },
  );
  if (settlement === undefined) return;
  const message = `It cannot be deleted because it pays the commissions of ${settlement.code}; undo that settlement instead`;
  throw new ServiceError('in_use', message);
}
