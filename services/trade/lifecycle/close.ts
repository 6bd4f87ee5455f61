/** Closes orders manually, giving up their open quantities. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { decimal } from '../../../domain/money.ts';
import { openQuantity } from '../../../domain/trade/documents/progress.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadForAction } from '../documents/read.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { addGoods } from '../stock/add-goods.ts';
import { moveGoods, movementCause } from './goods/move-goods.ts';
import { orderChanges } from './goods/stock-effects.ts';

/**
 * Closes an open or partly delivered order; it no longer reserves or announces anything. Possible in a closed period too, since it changes
 * nothing that was sold or bought then.
 * @returns the order as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition, document_locked
 */
export async function closeOrder(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadForAction(trx, ctx, documentId, 'close', options);
  const { row, lines } = document;
  const freed = await moveGoods(trx, ctx, row.docType, [], orderChanges(row.docType, lines, true), row.date);
  const closed = {
    ...document,
    row: changedRow(ctx, row, { status: DOCUMENT_STATUS.closed, closedAt: ctx.now.toISOString() }),
    lines: lines.map((line) => ({
      ...line,
      closedQuantity: decimal(line.closedQuantity).plus(openQuantity('order', line)).toFixed(),
    })),
  };
  const changes = new Changes(ctx);
  addGoods(changes, freed, movementCause(row));
  const fields = ['status', 'closedAt', 'lines'];
  const event = documentEvent('document.updated', closed.row, { fields, previousStatus: row.status });
  const shown = changeDocument(changes, document, closed, event);
  await changes.write(trx);
  return documentAnswer(closed, shown);
}
