/** Lines of sales orders that suppliers deliver. */
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { openBaseQuantity } from '../../../db/queries/open-quantities.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { DocumentStatus } from '../../../domain/trade/documents/types.ts';

export interface DroppedLine {
  readonly salesLineId: string;
  readonly itemId: string;
  readonly purchaseOrderId: string;
  readonly purchaseOrderCode: string;
  readonly purchaseLineId: string;
  readonly status: DocumentStatus;
  readonly supplierId: string;
  readonly supplierName: string;
  readonly quantity: Decimal;
  readonly receivedQuantity: Decimal;
  /** Still to come, in the unit of the sales order's line. */
  readonly expected: Decimal;
}

const SQL = `
  select s.sales_line_id as "salesLineId", l.item_id as "itemId", d.id as "purchaseOrderId", d.code as "purchaseOrderCode",
    l.id as "purchaseLineId", d.status, p.id as "supplierId", p.name as "supplierName", l.quantity::text,
    (l.delivered_quantity + l.invoiced_quantity)::text as "receivedQuantity",
    round(case when d.status in (${STATE.cancelled}, ${STATE.closed}) then 0
      else ${openBaseQuantity('l')} * o.quantity / o.base_quantity end, 6)::text as expected
  from document_lines o join drop_shipment_lines s on s.sales_line_id = o.id join document_lines l on l.id = s.purchase_line_id
    join documents d on d.id = l.document_id join partners p on p.id = d.partner_id
  where o.document_id = :order::uuid order by d.date, d.id, l.line_number`;

/** @returns what was ordered for the sales order, by purchase order */
export async function droppedLines(reader: Reader, orderId: string): Promise<DroppedLine[]> {
  return await query<DroppedLine>(reader, SQL, { order: orderId });
}
