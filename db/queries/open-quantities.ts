/** SQL of what is open of lines. */
import { STATE } from './document-states.ts';

/** The open quantity of a line of an order or quotation, in its item's own unit. @param line alias of document_lines */
export function openBaseQuantity(line: string): string {
  return `round(greatest(0, ${line}.quantity - ${line}.delivered_quantity - ${line}.invoiced_quantity - ${line}.closed_quantity)
    * ${line}.base_quantity / ${line}.quantity, 6)`;
}

const OPEN = (document: string) => `${document}.status not in (${STATE.cancelled}, ${STATE.closed})`;

/**
 * The part of an order's line that concerns the company's own stock: without goods that suppliers are to send to the customer (decision
 * 0320), on both orders. @param line alias of document_lines @param document alias of its document
 */
export function ownOpenQuantity(line: string, document: string): string {
  return `greatest(0, ${openBaseQuantity(line)} - case ${document}.doc_type
      when 'SO' then (select coalesce(sum(${openBaseQuantity('t')}), 0) from drop_shipment_lines s
        join document_lines t on t.id = s.purchase_line_id join documents e on e.id = t.document_id and ${OPEN('e')}
        where s.sales_line_id = ${line}.id)
      else coalesce((select ${openBaseQuantity('t')} from drop_shipment_lines s
        join document_lines t on t.id = s.sales_line_id join documents e on e.id = t.document_id and ${OPEN('e')}
        where s.purchase_line_id = ${line}.id), 0) end)`;
}
