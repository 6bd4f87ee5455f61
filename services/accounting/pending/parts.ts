/** What notes have delivered or received and nobody has invoiced by a day, with its value. */
import type { Db } from '../../../db/database.ts';
import { TIME_ZONE } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';

/** Lines of notes that are entered alike. */
export interface PendingPart {
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string;
  /** Of the lines; null = that of the item or the company. */
  readonly accountId: string | null;
  readonly itemId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** Returned after it was invoiced, and not credited yet: the value is below zero. */
  readonly returned: boolean;
  /** Without the tax that the invoice will charge, but for what of it cannot be deducted; not rounded. */
  readonly value: Decimal;
}

/** The day on which a cancelled document was undone: of an invoice its entry's reversal, of a note the goods' way back. */
const UNDONE = `case when d.doc_type in ('SINV', 'PINV')
    then (select max(r.date) from journal_entries e join journal_entries r on r.reversal_of = e.id where e.source_id = d.id)
    else coalesce((select max(m.date) from stock_movements m where m.document_id = d.id),
      (d.cancelled_at at time zone ${TIME_ZONE})::date) end`;
/** Whether a document stood at the end of the day. */
const STANDS = `(d.date <= :day::date and (d.status <> 'X' or ${UNDONE} > :day::date))`;

/**
 * Documents are taken as they stood at the end of the day: what was invoiced, returned or cancelled later counts as not done yet. Looked at
 * are only notes that are open, or of which something has happened after the day or come back; the others are invoiced.
 *
 * What comes back of an invoiced line is credited by a rectifying invoice; one that takes the goods back itself changes nothing here.
 * Goods and services cost what of their tax cannot be deducted besides, as in the stock.
 */
const PARTS_SQL = `
  with after as (
    select l.base_id as id from documents d join document_lines l on l.document_id = d.id
    where d.doc_type in ('SINV', 'PINV') and l.base_type in ('SDN', 'PDN') and (d.date > :day::date or d.status in ('D', 'X'))
    union select d.returns from documents d where d.returns is not null
  ), notes as (
    select d.id, d.doc_type, d.partner_id, d.project_id, d.cost_center_id from documents d
    where d.doc_type in ('SDN', 'PDN') and d.returns is null and ${STANDS} and (d.status <> 'C' or d.id in (select id from after))
  ), lines as (
    select n.doc_type, n.partner_id, l.account_id, l.item_id, coalesce(l.project_id, n.project_id) as project_id,
      coalesce(l.cost_center_id, n.cost_center_id) as cost_center_id, l.quantity,
      l.amount + l.lost_tax as amount, returned.quantity as returned,
      l.quantity - returned.quantity - invoiced.quantity as rest, invoiced.credited
    from notes n join document_lines l on l.document_id = n.id
    cross join lateral (
      select coalesce(sum(abs(t.quantity)), 0) as quantity from document_lines t join documents d on d.id = t.document_id
      where t.base_line_id = l.id and d.returns is not null and ${STANDS}) returned
    cross join lateral (
      select coalesce(sum(t.quantity), 0) as quantity, coalesce(sum(taken.quantity), 0) as credited
      from document_lines t join documents d on d.id = t.document_id
      cross join lateral (
        select sum(abs(c.quantity)) as quantity from document_lines c join documents d on d.id = c.document_id
        where c.base_line_id = t.id and d.rectifies is not null and not d.return_stock and d.posted_at is not null and ${STANDS}) taken
      where t.base_line_id = l.id and d.doc_type in ('SINV', 'PINV') and d.posted_at is not null and ${STANDS}) invoiced
  ), open_lines as (
    select *, case when rest >= 0 then rest else least(0, greatest(rest, -returned) + credited) end as pending from lines
  )
  select case doc_type when 'SDN' then 'sales' else 'purchase' end as side, partner_id as "partnerId", account_id as "accountId",
    item_id as "itemId", project_id as "projectId", cost_center_id as "costCenterId", pending < 0 as returned,
    sum(amount * pending / quantity)::text as value
  from open_lines where pending <> 0
  group by doc_type, partner_id, account_id, item_id, project_id, cost_center_id, pending < 0
  order by doc_type, partner_id, account_id, item_id, project_id, cost_center_id, pending < 0`;

/** @param day at whose end documents are looked at */
export async function pendingParts(trx: Db, day: string): Promise<PendingPart[]> {
  return await query<PendingPart>(trx, PARTS_SQL, { day });
}
