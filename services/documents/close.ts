/** Closing an order by hand: what is open of it is given up. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { openQuantity } from '../../domain/documents/progress.ts';
import { decimal } from '../../domain/money.ts';
import { documentEvent } from './events.ts';
import { type ActionOptions, loadFor } from './load-for.ts';
import { moveGoods } from './move-goods.ts';
import { orderChanges } from './stock-effects.ts';
import { changedRow, writeState } from './write-state.ts';

/**
 * Closes an open or partly delivered order; nothing is reserved or announced by it any more. Old orders too, in a closed
 * period: it says nothing about what was sold or bought then.
 * @returns the order as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function closeOrder(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<Record<string, unknown>> {
  const document = await loadFor(trx, documentId, 'close', options);
  const { row, lines } = document;
  const moved = await moveGoods(trx, ctx, row.docType, [], orderChanges(row.docType, lines, true), row.date);
  const next = {
    ...document,
    row: changedRow(ctx, row, { status: 'C', closedAt: ctx.now.toISOString() }),
    lines: lines.map((line) => ({
      ...line,
      closedQuantity: decimal(line.closedQuantity).plus(openQuantity('order', line)).toFixed(),
    })),
  };
  return writeState(trx, ctx, document, next, {
    set: `status = 'C', closed_at = :now::timestamptz`,
    event: documentEvent('document.updated', next.row, {
      fields: ['status', 'closedAt', 'lines'],
      previousStatus: row.status,
    }),
    moved,
    anyPeriod: true,
    beside: `update document_lines set closed_quantity = greatest(0, quantity - delivered_quantity - invoiced_quantity)
      where document_id = :id and exists (select 1 from written)`,
  });
}
