/**
 * SQL for the cost of goods of a sales line, by the costing method of its item (decision 0246). `l` is the line, `i` its item, `d` its
 * document. Joins include the tenant, so that indexes serve for one company and for all.
 */
import { STATE } from './document-states.ts';
import { WORTH } from './stock-values.ts';

/**
 * The value that the movements of a line took from the stock, with later settlements; negative if goods came back. Goods of a kit are
 * valued as the components that they are: here `i` is the item that moved.
 */
const takenBy = (line: string, condition = '') => `(select coalesce(-sum(${WORTH}), 0)
      from stock_movements m join stock_layers v on v.tenant_id = m.tenant_id and v.id = m.id
        join items i on i.tenant_id = v.tenant_id and i.id = v.item_id
      where m.tenant_id = ${line}.tenant_id and m.document_line_id = ${line}.id ${condition})`;

/** Whether a movement takes back another of its own line, as those of a cancellation do. */
const UNDOES = `exists (select from stock_movements u
        where u.tenant_id = v.tenant_id and u.id = v.source_id and u.document_line_id = m.document_line_id)`;

/** The goods that a line moved, whether it was cancelled later or not. */
const moved = (line: string) => takenBy(line, `and (v.source_id is null or not ${UNDOES})`);

/** Lines based on the line `n` of a note: `c`, of the document `e`. */
const BASED = `document_lines c join documents e on e.tenant_id = c.tenant_id and e.id = c.document_id
        where c.tenant_id = n.tenant_id and c.base_line_id = n.id`;
const INVOICED = `(e.doc_type = 'SINV' and e.posted_at is not null and e.status <> ${STATE.cancelled} and not e.notes_released)`;
const RETURNED = `(e.doc_type = 'SDN' and e.status <> ${STATE.cancelled})`;

/** Value of the first returned goods of `n`, up to a quantity, in the order in which they came back. */
const valueOfReturned = (quantity: string) => `(select
        coalesce(sum(r.value * greatest(0, least(r.quantity, ${quantity} - r.earlier)) / r.quantity), 0)
      from (select -${takenBy('c')} as value, -c.base_quantity as quantity,
          coalesce(sum(-c.base_quantity) over (order by e.date, c.id rows between unbounded preceding and 1 preceding), 0) as earlier
        from ${BASED} and ${RETURNED}) r)`;

/**
 * The line `n` of a note that is invoiced. Its goods that stayed with the customer, and those that came back after they were invoiced
 * (`excess`, always the last that came back), have the cost `total`, which is divided among `divisor` pieces.
 */
const invoicedNote = (noteLineId: string) => `document_lines n
    cross join lateral (select
        coalesce(sum(c.base_quantity) filter (where ${INVOICED}), 0) as invoiced,
        coalesce(sum(c.base_quantity) filter (where ${INVOICED} and c.id < l.id), 0) as earlier,
        coalesce(-sum(c.base_quantity) filter (where ${RETURNED}), 0) as returned,
        coalesce(sum(case when e.doc_type = 'SDN' then ${takenBy('c')} end), 0) as taken_back
      from ${BASED}) b
    cross join lateral (select greatest(0, least(b.returned, b.invoiced + b.returned - n.base_quantity)) as excess) x
    cross join lateral (select greatest(b.invoiced, n.base_quantity - b.returned) as divisor,
        ${moved('n')} + b.taken_back
          + case when x.excess > 0 then ${valueOfReturned('b.returned')} - ${valueOfReturned('b.returned - x.excess')} else 0 end as total
      offset 0) v
    where n.tenant_id = l.tenant_id and n.id = ${noteLineId} and n.base_quantity <> 0`;

/**
 * The share of an invoice in the goods of a note, rounded so that the shares add up to the rounded cost of them all. Most invoices are of
 * a whole note line of which nothing came back: only their movements are looked up. Invoices that released their notes have no part in
 * what the others share (decision 0260).
 */
const shareOfNote = (places: string) => {
  const upTo = (quantity: string) => `round(v.total * (${quantity}) / v.divisor, ${places})`;
  const isWhole = `l.quantity = w.quantity and w.invoiced_quantity = w.quantity and not exists (
      select from document_lines c where c.tenant_id = w.tenant_id and c.base_line_id = w.id and c.quantity < 0)`;
  const share = `(select case when v.divisor = 0 then round(${moved('n')} * l.base_quantity / n.base_quantity, ${places})
      when d.status = ${STATE.cancelled} then ${upTo('l.base_quantity')}
      else ${upTo('b.earlier + l.base_quantity')} - ${upTo('b.earlier')} end
    from ${invoicedNote('l.base_line_id')})`;
  return `(select case when d.notes_released then ${shareOfDelivered('w', 'l.base_quantity', places)}
      when ${isWhole} then round(${moved('w')}, ${places}) else ${share} end
    from document_lines w where w.tenant_id = l.tenant_id and w.id = l.base_line_id)`;
};

/** Cost of a part of the goods that a note line delivered, whatever came back. */
const shareOfDelivered = (noteLine: string, quantity: string, places: string) =>
  `round(${moved(noteLine)} * (${quantity}) / ${noteLine}.base_quantity, ${places})`;

/** The part of the cost of an invoice that released its notes that each rectification takes back: together, all of it. */
const creditedOfReleased = (places: string) => `(select ${shareOfDelivered('n', 's.earlier', places)}
      - ${shareOfDelivered('n', 's.earlier - l.base_quantity', places)}
    from document_lines o join documents r on r.tenant_id = o.tenant_id and r.id = o.document_id and r.notes_released
    join document_lines n on n.tenant_id = o.tenant_id and n.id = o.base_line_id and n.base_quantity <> 0
    cross join lateral (select coalesce(-sum(c.base_quantity), 0) as earlier
      from document_lines c join documents e on e.tenant_id = c.tenant_id and e.id = c.document_id
      where c.tenant_id = o.tenant_id and c.base_line_id = o.id and e.posted_at is not null and e.status <> ${STATE.cancelled}
        and c.id < l.id) s
    where o.tenant_id = l.tenant_id and o.id = l.base_line_id and o.base_type = 'SDN')`;

/**
 * A rectifying invoice that takes no goods back itself credits the goods that a return brought back after they were invoiced; a mere
 * price change has no cost. The rectifying lines of a note's line share the returned goods, the earliest first.
 */
const creditedOfNote = (places: string) => {
  const without = (quantity: string) => `round(v.total - case when x.excess = 0 then 0 else
        ${valueOfReturned(`b.returned - x.excess + least(x.excess, ${quantity})`)} - ${valueOfReturned('b.returned - x.excess')} end,
        ${places})`;
  return `(select ${without('s.earlier + greatest(0, -l.base_quantity)')} - ${without('s.earlier')}
    from (select o.base_line_id from document_lines o
        join documents r on r.tenant_id = o.tenant_id and r.id = o.document_id and not r.notes_released
        where o.tenant_id = l.tenant_id and o.id = l.base_line_id and o.base_type = 'SDN') origin
    cross join lateral (select greatest(0, coalesce(-sum(c.base_quantity), 0)) as earlier
      from document_lines o join document_lines c on c.tenant_id = o.tenant_id and c.base_line_id = o.id
      join documents e on e.tenant_id = c.tenant_id and e.id = c.document_id
      join documents r on r.tenant_id = o.tenant_id and r.id = o.document_id and not r.notes_released
      where o.tenant_id = l.tenant_id and o.base_line_id = origin.base_line_id and e.rectifies is not null and not e.return_stock
        and e.posted_at is not null and e.status <> ${STATE.cancelled} and c.id < l.id) s
    cross join ${invoicedNote('origin.base_line_id')} and n.returned_quantity > 0)`;
};

/** Whether the goods of a line have left with a note, and whether it credits goods without taking them back. */
const OF_NOTE = `(d.doc_type = 'SINV' and l.base_type is not distinct from 'SDN')`;
const CREDITS = '(d.rectifies is not null and not d.return_stock)';

/**
 * Cost of the goods of an invoiced or delivered line, rounded, so that all sums of lines agree: of a posted invoice or a note. Services
 * and free texts cost nothing. Each line looks up its movements by an index, regardless of PostgreSQL's estimates: joins of unknown
 * size were slow while tables grew.
 * @param places SQL of the decimals of amounts
 */
export function costOfGoods(places: string): string {
  return `case when l.item_id is null then 0 else coalesce(case when ${OF_NOTE} then ${shareOfNote(places)}
    when ${CREDITS} then coalesce(${creditedOfReleased(places)}, ${creditedOfNote(places)})
    else round(${moved('l')}, ${places}) end, 0) end`;
}

/**
 * The same for the lines of a period, of which those with `d.sign` −1 are taken back by a cancellation: goods that the invoice moved
 * itself at what they were worth when they moved back.
 * @param places SQL of the decimals of amounts
 */
export function costOfSoldGoods(places: string): string {
  return `case when d.sign < 0 and l.item_id is not null and not ${OF_NOTE} and not ${CREDITS}
    then round(${takenBy('l', `and ${UNDOES}`)}, ${places}) else d.sign * (${costOfGoods(places)}) end`;
}
