/** References of documents, and the records that each change leaves behind. */
import type { Invariant } from './invariant.ts';

/** References that no foreign key enforces. */
export const REFERENCES: readonly Invariant[] = [
  {
    name: 'movement_lines',
    title: 'the line of a movement belongs to its document, item and company; the document exists or existed',
    sql: `select m.tenant_id, m.id::text, l.document_id = m.document_id
        and (l.item_id = m.item_id or l.components @> jsonb_build_array(jsonb_build_object('itemId', m.item_id)))
        or l.id is null and exists (select from audit_logs a where a.tenant_id = m.tenant_id and a.entity_id = m.document_id
          and a.action = 'DELETE') as ok
      from stock_movements m
      left join document_lines l on l.tenant_id = m.tenant_id and l.id = m.document_line_id
      where m.document_line_id is not null`,
  },
  {
    name: 'files_of_documents',
    title: 'the document of a file belongs to the same company, and exists or existed',
    sql: `select f.tenant_id, f.id::text, exists (select from documents d where d.tenant_id = f.tenant_id and d.id = f.entity_id)
        or exists (select from audit_logs a where a.tenant_id = f.tenant_id and a.entity_id = f.entity_id and a.action = 'DELETE') as ok
      from files f where f.kind = 'document_pdf'`,
  },
  {
    name: 'mails_of_documents',
    title: 'a document is sent if a server has accepted its mail',
    sql: `select e.tenant_id, e.id::text, coalesce(d.sent_at >= e.sent_at, false) as ok
      from emails e join documents d on d.tenant_id = e.tenant_id and d.id = e.document_id
      where e.kind = 'document' and e.sent_at is not null`,
  },
  {
    name: 'papers_of_invoices',
    title: 'a posted invoice has its frozen paper, with all its lines',
    sql: `with lines as (
        select tenant_id, document_id, count(*) as n from document_lines group by 1, 2
      )
      select d.tenant_id, d.id::text, d.posted_at is not null and p.document_id is not null
        and (select count(*) from jsonb_object_keys(p.content->'lineExtras')) = l.n as ok
      from documents d
      join lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      left join document_papers p on p.tenant_id = d.tenant_id and p.document_id = d.id
      where d.doc_type in ('SINV', 'PINV') and (p.document_id is not null or d.posted_at is not null)`,
  },
  {
    name: 'attempts_of_events',
    title: 'the event of a webhook attempt belongs to the same company',
    sql: `select a.tenant_id, a.id::text, exists (select from outbox o where o.tenant_id = a.tenant_id and o.id = a.event_id) as ok
      from webhook_attempts a
      where a.document_id is not null and a.sent_at > (select min(o.created_at) from outbox o where o.tenant_id = a.tenant_id)`,
  },
  {
    name: 'one_success_each',
    title: 'an event was delivered successfully to a webhook at most once per request, and not sent again afterwards',
    sql: `select tenant_id, webhook_id || ' ' || event_id as id,
        count(*) filter (where status = 'success') <= 1
        and coalesce(max(attempt) filter (where status = 'success') = max(attempt), true) as ok
      from webhook_attempts group by tenant_id, webhook_id, event_id, redelivery_id`,
  },
  {
    name: 'attempts_without_gap',
    title: 'the attempts of an event at a webhook are numbered 1, 2, … without a gap',
    sql: `select tenant_id, webhook_id || ' ' || event_id as id, max(attempt) = count(*) filter (where attempt > 0) as ok
      from webhook_attempts group by tenant_id, webhook_id, event_id`,
  },
  {
    name: 'disabled_webhooks',
    title: 'a webhook that failed for too long is inactive',
    sql: `select w.tenant_id, w.id::text, w.status = 'inactive' as ok
      from webhook_health h join webhooks w on w.tenant_id = h.tenant_id and w.id = h.webhook_id
      where h.disabled_at is not null`,
  },
];

/** How long an event may wait for the relay before it is reported. */
export const OUTBOX_MINUTES = 5;

const DOCUMENT_ENTITIES = `'SalesOrder', 'SalesDeliveryNote', 'SalesInvoice', 'PurchaseOrder', 'PurchaseDeliveryNote', 'PurchaseInvoice'`;

/** Handed-over events are deleted after some time; those created after this condition's bound are complete. */
const KEPT = `created_at >= coalesce((select kept_since from prunings where kind = 'outbox'), '-infinity')`;

export const TRACES: readonly Invariant[] = [
  {
    name: 'one_event_per_change',
    title: 'each change of a document has its audit record and its event, one of each',
    sql: `with changes as (
        select tenant_id, entity_id, action, count(*) as n from audit_logs
        where entity_type in (${DOCUMENT_ENTITIES}) and ${KEPT} group by 1, 2, 3
      ), happened as (
        select tenant_id, entity_id, count(*) as n,
          case event when 'document.created' then 'CREATE' when 'document.deleted' then 'DELETE' else 'UPDATE' end as action
        from outbox where entity_type in (${DOCUMENT_ENTITIES}) and event like 'document.%' and event <> 'document.paid' and ${KEPT}
        group by 1, 2, 4
      )
      select coalesce(c.tenant_id, h.tenant_id) as tenant_id, coalesce(c.entity_id, h.entity_id) || ' ' || coalesce(c.action,
        h.action) as id,
        coalesce(c.n, 0) = coalesce(h.n, 0) as ok
      from changes c
      full join happened h on h.tenant_id = c.tenant_id and h.entity_id = c.entity_id and h.action = c.action`,
  },
  {
    name: 'versions',
    title: 'the version of a document = its audit records',
    sql: `select d.tenant_id, d.id::text, d.version = count(a.id) as ok
      from documents d
      left join audit_logs a on a.tenant_id = d.tenant_id and a.entity_id = d.id
      group by d.tenant_id, d.id, d.version`,
  },
  {
    name: 'outbox_in_time',
    title: `no event waits for the relay longer than ${OUTBOX_MINUTES} minutes`,
    warning: true,
    sql: `select tenant_id, id::text, created_at > now() - interval '${OUTBOX_MINUTES} minutes' as ok
      from outbox where processed_at is null and dead_at is null`,
  },
];

/** Counts kept by triggers. */
export const STORAGE: readonly Invariant[] = [
  {
    name: 'stored_bytes',
    title: 'the bytes counted for a company = those of its files, objects, mails and kept answers',
    sql: `with stored as (
        select tenant_id, kind, sum(bytes) as bytes, count(*) as items from stored_items group by 1, 2
      ), counted as (
        select tenant_id, kind, sum(bytes) as bytes, sum(items) as items from storage_changes where kind <> 'recent' group by 1, 2
      )
      select coalesce(s.tenant_id, c.tenant_id) as tenant_id, coalesce(s.kind, c.kind) as id,
        coalesce(s.bytes, 0) = coalesce(c.bytes, 0) and coalesce(s.items, 0) = coalesce(c.items, 0) as ok
      from stored s full join counted c on c.tenant_id = s.tenant_id and c.kind = s.kind`,
  },
];
