/** SQL: what the goods of a line of sales cost, by the costing method of its item (decision 0174). */
import { STATE } from '../../../db/queries/document-states.ts';
import { WORTH } from '../../../db/queries/stock-values.ts';
import { PLACES } from '../../settings/format.ts';

/**
 * What left with a line of the item `i`, as it is known now; below zero where goods came back. A cancelled document's goods left as well:
 * what takes a movement of the same line back does not count.
 */
const moved = (lineId: string) => `(select coalesce(-sum(${WORTH}), 0)
    from stock_movements m join stock_layers v on v.id = m.id
    where m.document_line_id = ${lineId} and (v.source_id is null or not exists (
      select from stock_movements u where u.id = v.source_id and u.document_line_id = m.document_line_id)))`;

/** The goods of an invoiced note, in proportion. */
const OF_NOTE = `(select ${moved('n.id')} * l.base_quantity / n.base_quantity from document_lines n
    where n.id = l.base_line_id and n.base_quantity <> 0)`;

/**
 * A rectifying invoice that takes no goods back itself credits those that a return brought back after they were invoiced; a mere change of
 * price has no cost. The rectifying lines of a note's line share what came back, the earliest first.
 */
const CREDITED = `(select -${moved('n.id')} / n.quantity
      * greatest(0, least(-l.quantity, n.returned_quantity + n.invoiced_quantity - n.quantity - coalesce((
          select -sum(c.quantity) from document_lines o join document_lines c on c.base_line_id = o.id
          join documents e on e.id = c.document_id
          where o.base_line_id = n.id and e.rectifies is not null and not e.return_stock and e.posted_at is not null
            and e.status <> ${STATE.cancelled} and c.id < l.id), 0)))
    from document_lines n
    where n.id = (select b.base_line_id from document_lines b where b.id = l.base_line_id and b.base_type = 'SDN')
      and n.quantity > 0 and n.returned_quantity > 0)`;

/**
 * What the goods of a line cost that is invoiced or delivered, rounded: so that whatever adds up lines comes to the same. `l` is the line,
 * `i` its item, `d` its document, an invoice that was posted or a note. Services and free texts cost nothing. Each line looks its movements
 * up by an index, whatever PostgreSQL believes of the tables: joins of unknown size took long while they grew.
 */
export const COST_OF_GOODS = `case when l.item_id is null then 0 else round(coalesce(case
    when d.doc_type = 'SINV' and l.base_type = 'SDN' then ${OF_NOTE}
    when d.rectifies is not null and not d.return_stock then ${CREDITED}
    else ${moved('l.id')} end, 0), ${PLACES}) end`;
