/** The receipts that a landed cost is spread over, and the invoices that charge it. */

import type { Db } from '../../../db/database.ts';
import { companyCost } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { leftOfCharge } from '../../../db/queries/landed-costs.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { ReceivedGoods } from '../../../domain/trade/stock/landed-cost.ts';

/** A received line with its movements. */
export interface ReceivedLine extends ReceivedGoods {
  readonly lineId: string;
  readonly documentId: string;
  readonly itemId: string;
  readonly itemCode: string;
  readonly movements: readonly { readonly id: string; readonly left: Decimal }[];
}

/** Quantity of a receipt's movement `c` that did not go back to the supplier. */
const LEFT = `c.quantity + coalesce((
    select sum(b.quantity + coalesce((select sum(u.quantity) from stock_layers u where u.source_id = b.id), 0))
    from stock_layers b where b.source_id = c.id and b.warehouse_id = c.warehouse_id), 0)`;

/** Lines of the documents that received goods, with what is left of them. */
export async function receivedLines(
  trx: Db,
  documents: readonly string[],
  lines: readonly string[] | undefined,
): Promise<ReceivedLine[]> {
  return await query<ReceivedLine>(
    trx,
    `select l.id as "lineId", l.document_id as "documentId", i.id as "itemId", i.code as "itemCode", r.quantity::text,
       (case when l.base_quantity = 0 then 0
         else ${companyCost('l')} * r.quantity / l.base_quantity end)::text as value,
       i.weight::text, i.volume::text, r.movements
     from documents d join document_lines l on l.document_id = d.id join items i on i.id = l.item_id
     cross join lateral (
       select sum(left_over) as quantity, json_agg(json_build_object('id', id, 'left', left_over::text) order by seq) as movements
       from (select c.id, c.seq, ${LEFT} as left_over from stock_movements m join stock_layers c on c.id = m.id
         where m.document_line_id = l.id and c.quantity > 0 and c.given_cost is not null) c) r
     where d.id = any(:documents::uuid[]) and (:lines::uuid[] is null or l.id = any(:lines::uuid[])) and r.quantity > 0
     order by d.date, d.id, l.line_number`,
    { documents: [...documents], lines: lines === undefined ? null : [...lines] },
  );
}

/** A document that is named as a receipt. */
export interface NamedReceipt {
  readonly id: string;
  readonly code: string | null;
  readonly docType: string;
  readonly date: string;
  readonly standing: boolean;
}

export async function namedReceipts(trx: Db, documents: readonly string[]): Promise<NamedReceipt[]> {
  return await query<NamedReceipt>(
    trx,
    `select id, code, doc_type as "docType", date, status not in (${STATE.draft}, ${STATE.cancelled}) and returns is null
       and rectifies is null as standing from documents where id = any(:documents::uuid[])`,
    { documents: [...documents] },
  );
}

/** A line of a purchase invoice that charges a cost. */
export interface ChargingLine {
  readonly id: string;
  readonly description: string;
  /** Whether its invoice is posted, and the line is of no goods. */
  readonly usable: boolean;
  /** The amount that no landed cost has spread. */
  readonly open: Decimal;
}

export async function chargingLines(trx: Db, ids: readonly string[]): Promise<ChargingLine[]> {
  return await query<ChargingLine>(
    trx,
    `select l.id, l.description, d.doc_type = 'PINV' and d.posted_at is not null and d.status <> ${STATE.cancelled}
         and l.amount > 0 and not coalesce(i.stock_tracked, false) as usable,
       ${leftOfCharge('l')}::text as open
     from document_lines l join documents d on d.id = l.document_id left join items i on i.id = l.item_id
     where l.id = any(:ids::uuid[])`,
    { ids: [...ids] },
  );
}
