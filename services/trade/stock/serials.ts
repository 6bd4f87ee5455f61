/** Serial numbers: a batch of at most one piece, wherever it is. */
import { followUp } from '../../../db/changes/follow-up.ts';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type FieldError, notFound, validationFailed } from '../../../domain/errors.ts';

/** A piece that came in, with the pointer of its line. */
interface Piece {
  readonly batchId: string;
  readonly pointer: string | null;
}

/**
 * Refuses a second piece with the same number. The numbers are locked, so that of two who receive one at the same time the second sees the
 * first.
 * @throws ServiceError validation_failed
 */
export const assertSinglePieces = followUp<{ readonly pieces: readonly Piece[] }>(
  'check serial numbers',
  async (trx, _ctx, { pieces }) => {
    const ids = [...new Set(pieces.map(({ batchId }) => batchId))].sort();
    await query(trx, 'select id from batches where id = any(:ids::uuid[]) order by id for update', { ids });
    const found = await query<{ id: string; serial: string }>(
      trx,
      `select b.id, b.batch_num as serial from batches b join stock_levels l on l.batch_id = b.id
       where b.id = any(:ids::uuid[]) group by b.id, b.batch_num having sum(l.on_hand) not in (0, 1) order by b.batch_num`,
      { ids },
    );
    if (found.length === 0) return;
    const errors = found.flatMap(({ id, serial }): FieldError[] => {
      const piece = pieces.find(({ batchId }) => batchId === id);
      return [{ pointer: piece?.pointer ?? '', code: 'duplicate', message: `${serial} is in stock already` }];
    });
    throw validationFailed(errors);
  },
);

/** Each serial number with where it is, how it came and how it went. */
export const SERIALS_SQL = `
  select b.id, b.batch_num as serial_number, b.item_id, i.code as item_code, i.name as item_name,
    case when here.warehouse_id is not null then 'in_stock' when sale.doc_type is not null then 'sold'
      when gone.doc_type is null and gone.document_id is null and gone.date is null then 'expected' else 'gone' end as status,
    here.warehouse_id, here.zone_id, came.date as received_on, came.document_id as receipt_id, came.doc_type as receipt_type,
    came.partner_id as supplier_id,
    sale.date as sold_on,
    sale.document_id as sale_id,
    sale.doc_type as sale_type,
    sale.partner_id as customer_id,
    (sale.date + make_interval(months => i.warranty_months))::date as warranty_until,
    b.created_at
  from batches b join items i on i.id = b.item_id and i.serial_tracked
  left join lateral (select warehouse_id, zone_id from stock_levels l where l.batch_id = b.id and l.on_hand > 0 limit 1) here on true
  left join lateral (select m.date, m.doc_type, m.document_id, d.partner_id from stock_movements m
    left join documents d on d.id = m.document_id where m.batch_id = b.id and m.quantity > 0 order by m.seq limit 1) came on true
  left join lateral (select m.date, m.doc_type, m.document_id, d.partner_id from stock_movements m
    left join documents d on d.id = m.document_id where m.batch_id = b.id and m.quantity < 0 order by m.seq desc limit 1) gone on true
  left join lateral (select gone.* where here.warehouse_id is null and gone.doc_type in ('SDN', 'SINV')) sale on true`;

export interface SerialRow {
  readonly id: string;
  readonly serial_number: string;
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly status: string;
  readonly warehouse_id: string | null;
  readonly zone_id: string | null;
  readonly received_on: string | null;
  readonly receipt_id: string | null;
  readonly receipt_type: string | null;
  readonly supplier_id: string | null;
  readonly sold_on: string | null;
  readonly sale_id: string | null;
  readonly sale_type: string | null;
  readonly customer_id: string | null;
  readonly warranty_until: string | null;
  readonly created_at: string;
}

export function serialToJson(row: SerialRow) {
  return {
    id: row.id,
    serialNumber: row.serial_number,
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    status: row.status,
    warehouseId: row.warehouse_id,
    zoneId: row.zone_id,
    receivedOn: row.received_on,
    receiptId: row.receipt_id,
    receiptType: row.receipt_type,
    supplierId: row.supplier_id,
    soldOn: row.sold_on,
    saleId: row.sale_id,
    saleType: row.sale_type,
    customerId: row.customer_id,
    warrantyUntil: row.warranty_until,
    createdAt: row.created_at,
  };
}

interface HistoryRow {
  readonly date: string;
  readonly direction: string;
  readonly warehouseId: string;
  readonly docType: string | null;
  readonly documentId: string | null;
  readonly operationId: string | null;
  readonly code: string | null;
  readonly partnerId: string | null;
  readonly partnerName: string | null;
}

/** A serial number with all its ways, the oldest first. @throws ServiceError not_found */
export async function readSerial(reader: Reader, id: string) {
  const [[row], history] = await Promise.all([
    query<SerialRow>(reader, `${SERIALS_SQL} where b.id = :id::uuid`, { id }),
    query<HistoryRow>(
      reader,
      `select m.date, case when m.quantity > 0 then 'in' else 'out' end as direction, m.warehouse_id as "warehouseId",
         m.doc_type as "docType", m.document_id as "documentId", m.operation_id as "operationId", coalesce(d.code, o.code) as code,
         d.partner_id as "partnerId", p.name as "partnerName"
       from stock_movements m left join documents d on d.id = m.document_id left join partners p on p.id = d.partner_id
         left join stock_operations o on o.id = m.operation_id
       where m.batch_id = :id::uuid and m.quantity <> 0 order by m.seq limit 1000`,
      { id },
    ),
  ]);
  if (row === undefined) throw notFound('This serial number');
  return { ...serialToJson(row), history };
}
