/** SQL for the uninvoiced part of note lines. */
import { companyCost } from '../../../../db/queries/company-amounts.ts';
import { TIME_ZONE } from '../../../../db/queries/time-zone.ts';

/** The day on which a cancelled document was undone: the reversal date for an invoice, the goods' return for a note. */
const UNDONE = `case when d.doc_type in ('SINV', 'PINV')
    then (select max(r.date) from journal_entries e join journal_entries r on r.reversal_of = e.id where e.source_id = d.id)
    else coalesce((select max(m.date) from stock_movements m where m.document_id = d.id),
      (d.cancelled_at at time zone ${TIME_ZONE})::date) end`;

/** Whether a document `d` stood at the end of `:day`. */
export const STANDS = `(d.date <= :day::date and (d.status <> 'X' or ${UNDONE} > :day::date))`;

/**
 * Whether an invoice `d` counts at the end of `:day`: it stood, and its notes were not released (decision 0260), or only later, by the
 * last of its rectifications.
 */
const INVOICES = `(${STANDS} and (not d.notes_released or exists (select from documents c
    where c.rectifies = d.id and c.posted_at is not null and c.status <> 'X' and c.date > :day::date)))`;

/** Columns of notes `d` that `pendingLines` needs. */
export const NOTE_COLUMNS = 'd.id, d.doc_type, d.code, d.partner_id, d.project_id, d.cost_center_id';

/**
 * CTEs `after` and `notes`: the notes that may have something to invoice at the end of `:day`. Documents count as they stood then, without
 * later invoices, returns or cancellations. Only open notes, and those that changed or were returned after the day, are read; all others
 * are invoiced.
 */
export const PENDING_NOTES = `after as (
    select l.base_id as id from documents d join document_lines l on l.document_id = d.id
    where d.doc_type in ('SINV', 'PINV') and l.base_type in ('SDN', 'PDN') and (d.date > :day::date or d.status in ('D', 'X'))
    union select d.returns from documents d where d.returns is not null
  ), notes as (
    select ${NOTE_COLUMNS} from documents d
    where d.doc_type in ('SDN', 'PDN') and d.returns is null and ${STANDS} and (d.status <> 'C' or d.id in (select id from after))
  )`;

/**
 * SQL for the lines of notes with the quantity `pending` at the end of `:day`, and its value. A return of an invoiced
 * line counts as negative until a rectifying invoice credits it; a rectifying invoice that takes the goods back itself
 * changes nothing here. As in stock, the cost includes tax that cannot be deducted.
 * @param notes SQL of the notes in force on the day
 */
export const pendingLines = (notes: string) => `
  select *, case when rest >= 0 then rest else least(0, greatest(rest, -returned) + credited) end as pending
  from (
    select l.id, n.id as note_id, n.code, n.doc_type, n.partner_id, l.line_number, l.account_id, l.item_id,
      coalesce(l.project_id, n.project_id) as project_id, coalesce(l.cost_center_id, n.cost_center_id) as cost_center_id, l.quantity,
      ${companyCost('l')} as amount, returned.quantity as returned,
      l.quantity - returned.quantity - invoiced.quantity as rest,
      invoiced.credited
    from ${notes} n join document_lines l on l.document_id = n.id
    cross join lateral (
      select coalesce(sum(abs(t.quantity)), 0) as quantity from document_lines t join documents d on d.id = t.document_id
      where t.base_line_id = l.id and d.returns is not null and ${STANDS}) returned
    cross join lateral (
      select coalesce(sum(t.quantity), 0) as quantity, coalesce(sum(taken.quantity), 0) as credited
      from document_lines t join documents d on d.id = t.document_id
      cross join lateral (
        select sum(abs(c.quantity)) as quantity from document_lines c join documents d on d.id = c.document_id
        where c.base_line_id = t.id and d.rectifies is not null and not d.return_stock and d.posted_at is not null and ${STANDS}) taken
      where t.base_line_id = l.id and d.doc_type in ('SINV', 'PINV') and d.posted_at is not null and ${INVOICES}) invoiced) as lines`;
