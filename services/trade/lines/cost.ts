/** SQL for the cost of goods of a sales line, by the costing method of its item (decision 0174). */
import { STATE } from '../../../db/queries/document-states.ts';
import { WORTH } from '../../../db/queries/stock-values.ts';
import { PLACES } from '../../platform/settings/format.ts';

/**
 * Current value of the goods that left with a line of the item `i`; negative if goods came back. Goods of cancelled
 * documents count as well: movements that take back a movement of the same line are ignored.
 */
const moved = (lineId: string) => `(select coalesce(-sum(${WORTH}), 0)
    from stock_movements m join stock_layers v on v.id = m.id
    where m.document_line_id = ${lineId} and (v.source_id is null or not exists (
      select from stock_movements u where u.id = v.source_id and u.document_line_id = m.document_line_id)))`;

/** A proportional share of the goods of an invoiced note. */
const OF_NOTE = `(select ${moved('n.id')} * l.base_quantity / n.base_quantity from document_lines n
    where n.id = l.base_line_id and n.base_quantity <> 0)`;

/**
 * A rectifying invoice that takes no goods back itself credits the goods that a return brought back after they were
 * invoiced; a mere price change has no cost. The rectifying lines of a note's line share the returned goods, the
 * earliest first.
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
 * Cost of the goods of an invoiced or delivered line, rounded, so that all sums of lines agree. `l` is the line, `i`
 * its item, `d` its document: a posted invoice or a note. Services and free texts cost nothing. Each line looks up its
 * movements by an index, regardless of PostgreSQL's estimates: joins of unknown size were slow while tables grew.
 */
export const COST_OF_GOODS = `case when l.item_id is null then 0 else round(coalesce(case
    when d.doc_type = 'SINV' and l.base_type = 'SDN' then ${OF_NOTE}
    when d.rectifies is not null and not d.return_stock then ${CREDITED}
    else ${moved('l.id')} end, 0), ${PLACES}) end`;
