/** SQL: what the goods of a line of sales cost, by the costing method of its item (decision 0174). */
import { STATE } from '../../../db/queries/document-states.ts';
import { WORTH } from '../../../db/queries/stock-values.ts';
import { PLACES } from '../../settings/format.ts';

/**
 * What left with lines, as it is known now; below zero where goods came back. A cancelled document's goods left as well: what takes a
 * movement of the same line back does not count.
 * @param condition on the movements `m`
 */
const moved = (condition: string, columns = '') => `select ${columns}coalesce(-sum(${WORTH}), 0) as cost
    from stock_movements m join stock_layers v on v.id = m.id join items i on i.id = m.item_id
    where ${condition} and (v.source_id is null or not exists (
      select from stock_movements u where u.id = v.source_id and u.document_line_id = m.document_line_id))`;

const movedBy = (lineId: string) => `(${moved(`m.document_line_id = ${lineId}`)})`;

/**
 * A rectifying invoice that takes no goods back itself credits those that a return brought back after they were invoiced; a mere change of
 * price has no cost. The rectifying lines of a note's line share what came back, the earliest first.
 */
const CREDITED = `(select -${movedBy('n.id')} / n.quantity
      * greatest(0, least(-l.quantity, n.returned_quantity + n.invoiced_quantity - n.quantity - coalesce((
          select -sum(c.quantity) from document_lines o join document_lines c on c.base_line_id = o.id
          join documents e on e.id = c.document_id
          where o.base_line_id = n.id and e.rectifies is not null and not e.return_stock and e.posted_at is not null
            and e.status <> ${STATE.cancelled} and c.id < l.id), 0)))
    from document_lines b join document_lines n on n.id = b.base_line_id
    where b.id = l.base_line_id and b.base_type = 'SDN' and n.quantity > 0 and n.returned_quantity > 0)`;

/**
 * What the goods of a line cost that is invoiced or delivered, rounded: so that whatever adds up lines comes to the same. `l` is the line,
 * `d` its document, an invoice that was posted or a note. Services and free texts cost nothing.
 * @param own SQL of what left with the line itself
 * @param ofNote SQL of what left with the note's line that it invoices, for one piece
 */
const costOfGoods = (own: string, ofNote: string) => `case when l.item_id is null then 0 else round(coalesce(case
    when d.doc_type = 'SINV' and l.base_type = 'SDN' then l.base_quantity * ${ofNote}
    when d.rectifies is not null and not d.return_stock then ${CREDITED}
    else ${own} end, 0), ${PLACES}) end`;

/** The cost of one line, looked up. */
export const COST_OF_GOODS = costOfGoods(
  movedBy('l.id'),
  `(select ${movedBy('n.id')} / n.base_quantity from document_lines n where n.id = l.base_line_id and n.base_quantity <> 0)`,
);

/** What left with many lines: `line_id`, `cost`. @param lines SQL of their ids */
export const goodsOf = (lines: string) =>
  `${moved(`m.document_line_id in (${lines})`, 'm.document_line_id as line_id, ')} group by 1`;

/** What joins `goods` (as of `goodsOf`, for the lines and what they are based on) to lines. */
export const JOIN_GOODS = `left join goods own_goods on own_goods.line_id = l.id
  left join document_lines note_line on l.base_type = 'SDN' and note_line.id = l.base_line_id
  left join goods note_goods on note_goods.line_id = note_line.id`;

/** The cost of a line with its goods joined. */
export const COST_OF_JOINED = costOfGoods('own_goods.cost', '(note_goods.cost / nullif(note_line.base_quantity, 0))');
