/** Moves and values the goods of a document when a note is created or an invoice posted, and when either is reversed. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { Commitment } from '../../../../domain/trade/stock/levels.ts';
import { GENERAL_PLACE, isAtGeneralPlace, type Move } from '../../../../domain/trade/stock/movement.ts';
import type { DocumentRow } from '../../documents/stored.ts';
import type { Cause, MovedGoods } from '../../stock/add-goods.ts';
import { planBatches } from '../../stock/batches.ts';
import { loadPlainStandings } from '../../stock/cost.ts';
import { checkPlainReceipts, findFirstBatches } from '../../stock/first-batches.ts';
import { openPlan } from '../../stock/levels.ts';
import { moveAndValue } from '../../stock/move.ts';
import { goodsReceipts, incomingBatches, lineMoves, movingLines, type StockLine } from './stock-effects.ts';

/** A document as the cause of movements. */
export function movementCause({ docType, id, periodId }: Pick<DocumentRow, 'docType' | 'id' | 'periodId'>): Cause {
  return { docType, documentId: id, periodId, name: DOCUMENT_TYPES[docType].name };
}

/**
 * Plans the movements of the lines and the changes to commitments.
 * @throws ServiceError insufficient_stock, batch_expired, validation_failed (a batch that exists with another expiry date)
 */
export async function moveGoods(
  trx: Db,
  ctx: Context,
  docType: DocType,
  lines: readonly StockLine[],
  commitments: readonly Commitment[],
  date: string,
): Promise<MovedGoods> {
  const moving = movingLines(docType, lines);
  const stocks = [...moving.map(({ line }) => line), ...commitments];
  const receipts = goodsReceipts(docType, moving);
  const named = incomingBatches(docType, moving);
  const started = await findFirstBatches(trx, receipts);
  if (named.length === 0) {
    const moves = lineMoves(docType, moving, new Map());
    const [plan, [standings]] = await openPlan(trx, ctx, stocks, {
      places: !moves.every(isAtGeneralPlace),
      read: () => Promise.all([loadPlainStandings(trx, moves), checkPlainReceipts(trx, receipts)]),
    });
    return await moveAndValue(trx, plan, moves, commitments, date, standings);
  }
  const [plan, [batches]] = await openPlan(trx, ctx, stocks, {
    places: true,
    read: () => Promise.all([planBatches(trx, named), checkPlainReceipts(trx, receipts)]),
  });
  const moves = lineMoves(docType, moving, batches.ids);
  return { ...(await moveAndValue(trx, plan, moves, commitments, date)), batches: batches.created, started };
}

/** Plans the reversal of the movements of a document, between the same places and at the same cost. */
export async function reverseMovements(
  trx: Db,
  ctx: Context,
  documentId: string,
  commitments: readonly Commitment[],
  date: string,
): Promise<MovedGoods> {
  const moves = await undoingMoves(trx, documentId);
  const [plan] = await openPlan(trx, ctx, [...moves, ...commitments], { places: !moves.every(isAtGeneralPlace) });
  return await moveAndValue(trx, plan, moves, commitments, date);
}

interface Made {
  readonly itemId: string;
  readonly warehouseId: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly quantity: Decimal;
  readonly lineId: string | null;
  readonly sourceId: string;
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
}

async function undoingMoves(trx: Db, documentId: string): Promise<Move[]> {
  const made = await query<Made>(
    trx,
    `select m.item_id as "itemId", m.warehouse_id as "warehouseId", m.zone_id as "zoneId", m.batch_id as "batchId", m.quantity,
       m.document_line_id as "lineId", m.id as "sourceId", l.unit_cost as "unitCost", l.fifo_unit_cost as "fifoUnitCost"
     from stock_movements m left join stock_layers l on l.id = m.id
     where m.document_id = :documentId and not m.rounding and m.quantity <> 0 order by m.seq`,
    { documentId },
  );
  return made.map(({ quantity, ...place }) => ({
    ...GENERAL_PLACE,
    ...place,
    exact: true,
    quantity: decimal(quantity).neg().toFixed(),
  }));
}
