/** Moves and values the goods of a document: when a note is created or an invoice posted, and when either is undone. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/documents/types.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { DocumentRow } from '../../documents/stored.ts';
import type { Cause, MovedGoods } from '../../stock/add-goods.ts';
import { ensureBatches } from '../../stock/batches.ts';
import { costOf, standingsOfPlain } from '../../stock/cost.ts';
import { assertDaysHold } from '../../stock/days.ts';
import { checkPlainReceipts, startBatches } from '../../stock/first-batches.ts';
import type { StockChange } from '../../stock/levels.ts';
import { moveStock } from '../../stock/move.ts';
import { GENERAL_PLACE, type Move } from '../../stock/movement.ts';
import { incomingBatches, movesOf, movingLines, receiptsOf, type StockLine } from './stock-effects.ts';

/** A document as the cause of movements. */
export function causeOf({ docType, id }: Pick<DocumentRow, 'docType' | 'id'>): Cause {
  return { docType, documentId: id, name: DOCUMENT_TYPES[docType].name };
}

/**
 * Moves the goods of the lines, and changes commitments.
 * @throws ServiceError insufficient_stock, batch_expired, validation_failed (a batch that exists with another expiry date)
 */
export async function moveGoods(
  trx: Db,
  ctx: Context,
  docType: DocType,
  lines: readonly StockLine[],
  commitments: readonly StockChange[],
  date: string,
): Promise<MovedGoods> {
  const moving = movingLines(docType, lines);
  const receipts = receiptsOf(docType, moving);
  await startBatches(trx, ctx, receipts);
  const batches = await ensureBatches(trx, ctx, incomingBatches(docType, moving));
  const moved = await moveAndValue(trx, ctx, movesOf(docType, moving, batches), commitments, date);
  await checkPlainReceipts(trx, receipts);
  return moved;
}

/** Reverses the movements of a document, between the same places, at the same cost. */
export async function undoGoods(
  trx: Db,
  ctx: Context,
  documentId: string,
  commitments: readonly StockChange[],
  date: string,
): Promise<MovedGoods> {
  return await moveAndValue(trx, ctx, await undoingMoves(trx, documentId), commitments, date);
}

/** Executes moves and values the movements. @throws ServiceError insufficient_stock, batch_expired */
export async function moveAndValue(
  trx: Db,
  ctx: Context,
  moves: readonly Move[],
  commitments: readonly StockChange[],
  date: string,
): Promise<MovedGoods> {
  const [movements, standings] = await Promise.all([
    moveStock(trx, ctx, moves, commitments, date),
    standingsOfPlain(trx, moves),
  ]);
  const goods = { movements, costs: await costOf(trx, movements, date, standings), date };
  await assertDaysHold(trx, goods);
  return goods;
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
