/** The progress of documents. */
import { flag, flagAt, type Invariant } from './invariant.ts';

/** SQL of the quantity that documents of these types have taken of a base line, without cancelled ones and returns. */
function basedQuantity(docTypes: string): string {
  return `coalesce((select sum(b.quantity) from document_lines b
    join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
    where b.tenant_id = l.tenant_id and b.base_line_id = l.id and bd.doc_type in (${docTypes}) and bd.doc_type <> b.base_type
      and bd.status <> 'X' and not bd.notes_released), 0)`;
}

/** SQL of the quantity taken back of a line: by documents of its own type or, for a note, by posted invoices that rectify its invoice. */
const TAKEN_BACK = `coalesce((select sum(-b.quantity) from document_lines b
    join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
    where b.tenant_id = l.tenant_id and b.base_line_id = l.id and bd.doc_type = b.base_type and bd.status <> 'X'), 0)
  + coalesce((select sum(-r.quantity) from document_lines i
    join document_lines r on r.tenant_id = i.tenant_id and r.base_line_id = i.id
    join documents rd on rd.tenant_id = r.tenant_id and rd.id = r.document_id
    where i.tenant_id = l.tenant_id and i.base_line_id = l.id and i.base_type in ('SDN', 'PDN')
      and rd.return_stock and rd.status not in ('D', 'X')), 0)`;

/** SQL: whether allowOverDelivery was on when a document that takes of the line, together with earlier ones, took too much. */
const EXCEEDED_BY_LEAVE = `exists (
    with taking as (
      select b.document_id, sum(b.quantity) as quantity from document_lines b
      join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
      where b.tenant_id = l.tenant_id and b.base_line_id = l.id and bd.doc_type <> b.base_type and bd.status <> 'X' group by 1
    ), changes as (
      select a.tenant_id, a.id, a.action, t.quantity from taking t
      join audit_logs a on a.tenant_id = l.tenant_id and a.entity_id = t.document_id
    )
    select from changes c where ${flagAt('c.tenant_id', 'allowOverDelivery', 'c.id')}
      and (select sum(quantity) from changes made where made.action = 'CREATE' and made.id <= c.id) > l.quantity)`;

export const PROGRESS: readonly Invariant[] = [
  {
    name: 'delivered_quantities',
    title: 'delivered (of a quotation: ordered) and invoiced quantity of a line = Σ of the lines based on it',
    sql: `select l.tenant_id, l.id::text,
        l.delivered_quantity = ${basedQuantity(`'SO', 'PO', 'SDN', 'PDN'`)}
        and l.invoiced_quantity = ${basedQuantity(`'SINV', 'PINV'`)} as ok
      from document_lines l`,
  },
  {
    name: 'returned_quantities',
    title: 'returned quantity of a line = Σ of its returns and rectifications, and at most its quantity',
    sql: `select l.tenant_id, l.id::text, l.returned_quantity = ${TAKEN_BACK} and l.returned_quantity <= greatest(l.quantity, 0) as ok
      from document_lines l`,
  },
  {
    name: 'not_more_than_ordered',
    title:
      'at most the quantity of a line is delivered or invoiced, unless allowOverDelivery is on, or was when it was exceeded',
    sql: `select l.tenant_id, l.id::text, l.delivered_quantity + l.invoiced_quantity <= greatest(l.quantity, 0)
        or ${flag('l.tenant_id', 'allowOverDelivery')} or ${EXCEEDED_BY_LEAVE} as ok
      from document_lines l
      where l.delivered_quantity <> 0 or l.invoiced_quantity <> 0`,
  },
  {
    name: 'status_by_quantities',
    title:
      'orders and notes: O nothing taken, P a part, C everything not given up; only closed orders gave up a quantity; returns stay O; ' +
      'quotations: P a part ordered, C everything, otherwise their own status',
    sql: `select d.tenant_id, d.id::text, d.status = case
          when bool_and(l.delivered_quantity + l.invoiced_quantity + l.returned_quantity + l.closed_quantity >= abs(l.quantity)) then 'C'
          when bool_or(l.delivered_quantity + l.invoiced_quantity + l.returned_quantity <> 0) then 'P'
          when d.doc_type in ('SQ', 'PR') and d.status not in ('P', 'C') then d.status else 'O' end
        and (d.closed_at is null or d.status = 'C') and (d.doc_type in ('SO', 'PO') or bool_and(l.closed_quantity = 0)) as ok
      from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      where d.doc_type in ('SQ', 'PR', 'SO', 'PO', 'SDN', 'PDN') and d.status <> 'X'
      group by d.tenant_id, d.id, d.doc_type, d.status, d.closed_at`,
  },
  {
    name: 'bases',
    title: 'a base line belongs to the named base document, with its type, partner and company',
    sql: `select l.tenant_id, l.id::text, b.document_id = l.base_id and bd.doc_type = l.base_type and bd.partner_id = d.partner_id
        and (bd.status <> 'X' or d.status = 'X' or d.notes_released) as ok
      from document_lines l
      join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
      left join document_lines b on b.tenant_id = l.tenant_id and b.id = l.base_line_id
      left join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
      where l.base_id is not null or l.base_line_id is not null or l.base_type is not null`,
  },
  {
    name: 'what_takes_back',
    title:
      'a returned or rectified document is not cancelled, has the same type and partner, and only its correction takes back its lines',
    sql: `select d.tenant_id, d.id::text,
        (d.rectifies is null or s.rectifying) and (d.returns is null or d.doc_type in ('SDN', 'PDN'))
        and coalesce(c.doc_type = d.doc_type and c.partner_id = d.partner_id and (c.status not in ('D', 'X') or d.status = 'X'),
          d.rectifies is null and d.returns is null)
        and not exists (select from document_lines l where l.tenant_id = d.tenant_id and l.document_id = d.id and case
          when s.rectifying then l.base_id is not null and (l.base_id is distinct from d.rectifies or l.quantity >= 0)
          when d.returns is not null then l.base_id is distinct from d.returns or l.quantity >= 0
          else l.quantity <= 0 or l.base_type = d.doc_type end) as ok
      from documents d join series s on s.tenant_id = d.tenant_id and s.id = d.series_id
      left join documents c on c.tenant_id = d.tenant_id and c.id = coalesce(d.rectifies, d.returns)`,
  },
  {
    name: 'released_notes',
    title: 'an invoice whose notes can be invoiced again is in force, of notes, and credited to the last piece',
    sql: `select d.tenant_id, d.id::text, d.posted_at is not null and d.status <> 'X' and d.rectifies is null
        and bool_or(l.base_type is not null and l.base_type in ('SDN', 'PDN')) and bool_and(l.returned_quantity >= l.quantity) as ok
      from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      where d.notes_released group by d.tenant_id, d.id, d.posted_at, d.status, d.rectifies`,
  },
];
