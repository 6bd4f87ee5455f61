/**
 * What must hold in every database at every moment, as SQL. `npm run verify` and the end-to-end tests check all of it.
 * Each query yields one row for each thing checked: `tenant_id`, `id` (what a reader can look up) and `ok`. The queries join on
 * the tenant throughout, so that they say the same with the eyes of one tenant as with those of the owner: what belongs to
 * another tenant counts as missing.
 */

export interface Invariant {
  /** Stable name, for tests and for asking for one. */
  readonly name: string;
  /** What holds, in words. */
  readonly title: string;
  /** A violation is told, but is no error: something is late, not wrong. */
  readonly warning?: boolean;
  readonly sql: string;
}

/** How long an event may wait for the relay before it is reported. */
export const OUTBOX_MINUTES = 5;

/** Amounts are rounded to the tenant's precision when they are made; an older document may have been made with another. */
const PRECISIONS = 'generate_series(0, 6) as places';

/** Settings that relax a rule, false where nothing is set. */
function flag(tenant: string, name: string): string {
  return `coalesce((select (s.value->>'${name}')::boolean from settings s where s.tenant_id = ${tenant} and s.name = 'flags'), false)`;
}

/** What documents of these types have taken of a line that they are based on; cancelled ones and those that take back don't count. */
function basedQuantity(docTypes: string): string {
  return `coalesce((select sum(b.quantity) from document_lines b
    join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
    where b.tenant_id = l.tenant_id and b.base_line_id = l.id and bd.doc_type in (${docTypes}) and bd.doc_type <> b.base_type
      and bd.status <> 'X'), 0)`;
}

/** What was taken back of a line: by documents of its own type, and of a note by posted invoices that rectify an invoice of it. */
const TAKEN_BACK = `coalesce((select sum(-b.quantity) from document_lines b
    join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
    where b.tenant_id = l.tenant_id and b.base_line_id = l.id and bd.doc_type = b.base_type and bd.status <> 'X'), 0)
  + coalesce((select sum(-r.quantity) from document_lines i
    join document_lines r on r.tenant_id = i.tenant_id and r.base_line_id = i.id
    join documents rd on rd.tenant_id = r.tenant_id and rd.id = r.document_id
    where i.tenant_id = l.tenant_id and i.base_line_id = l.id and i.base_type in ('SDN', 'PDN')
      and rd.return_stock and rd.status not in ('D', 'X')), 0)`;

const STOCK: readonly Invariant[] = [
  {
    name: 'stock_is_sum_of_movements',
    title: 'stock on hand = Σ movements, for each item, warehouse, zone and batch',
    sql: `select tenant_id, item_id || ' in ' || warehouse_id as id, sum(quantity) = 0 as ok
      from (select tenant_id, item_id, warehouse_id, zone_id, batch_id, on_hand as quantity from stock_levels
        union all select tenant_id, item_id, warehouse_id, zone_id, batch_id, -quantity from stock_movements) both_sides
      group by tenant_id, item_id, warehouse_id, zone_id, batch_id`,
  },
  {
    name: 'movement_balances',
    title: 'the balance of a movement = Σ movements up to it',
    sql: `select tenant_id, id::text, balance = sum(quantity) over
        (partition by tenant_id, item_id, warehouse_id, zone_id, batch_id order by seq rows unbounded preceding) as ok
      from stock_movements`,
  },
  {
    name: 'layers_of_movements',
    title: 'each movement has its layer, of the same item, warehouse, day and quantity',
    sql: `select m.tenant_id, m.id::text, l.id is not null and (l.item_id, l.warehouse_id, l.date, l.seq, l.quantity)
        = (m.item_id, m.warehouse_id, m.date, m.seq, m.quantity) as ok
      from stock_movements m left join stock_layers l on l.tenant_id = m.tenant_id and l.id = m.id`,
  },
  {
    name: 'layers_run',
    title: 'each layer carries on from the one before: quantity and values by average and FIFO',
    sql: `select tenant_id, id::text,
        (quantity_after, average_after, fifo_after) = (sum(quantity) over stock, sum(average_change) over stock, sum(fifo_change) over stock)
        and (quantity_after <> 0 or (average_after = 0 and fifo_after = 0)) as ok
      from stock_layers
      window stock as (partition by tenant_id, item_id, warehouse_id order by date, seq rows unbounded preceding)`,
  },
  {
    name: 'layers_left',
    title: 'what is left of the layers is what is on hand',
    sql: `select tenant_id, item_id || ' in ' || warehouse_id as id, greatest(0, sum(on_hand)) = sum(remaining) as ok
      from (select tenant_id, item_id, warehouse_id, on_hand, 0 as remaining from stock_levels
        union all select tenant_id, item_id, warehouse_id, 0, remaining from stock_layers) both_sides
      group by tenant_id, item_id, warehouse_id`,
  },
  {
    name: 'stock_not_negative',
    title: 'no stock below zero, unless allowNegativeStock',
    sql: `select tenant_id, item_id || ' in ' || warehouse_id as id, on_hand >= 0 or ${flag('tenant_id', 'allowNegativeStock')} as ok
      from stock_levels`,
  },
  {
    name: 'stock_commitments',
    title: 'reserved and incoming = what orders have open',
    sql: `with open_lines as (
        select l.tenant_id, l.item_id, l.warehouse_id, d.doc_type,
          round(greatest(0, l.quantity - l.delivered_quantity - l.invoiced_quantity - l.closed_quantity) * l.base_quantity / l.quantity, 6) as quantity
        from document_lines l join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
        where d.doc_type in ('SO', 'PO') and d.status <> 'X' and l.warehouse_id is not null
      ), expected as (
        select tenant_id, item_id, warehouse_id, coalesce(sum(quantity) filter (where doc_type = 'SO'), 0) as reserved,
          coalesce(sum(quantity) filter (where doc_type = 'PO'), 0) as incoming
        from open_lines group by 1, 2, 3
      )
      select coalesce(l.tenant_id, e.tenant_id) as tenant_id,
        coalesce(l.item_id, e.item_id) || ' in ' || coalesce(l.warehouse_id, e.warehouse_id) as id,
        coalesce(l.reserved, 0) = coalesce(e.reserved, 0) and coalesce(l.incoming, 0) = coalesce(e.incoming, 0) as ok
      from (select * from stock_levels where zone_id is null and batch_id is null) l
      full join expected e on e.tenant_id = l.tenant_id and e.item_id = l.item_id and e.warehouse_id = l.warehouse_id`,
  },
  {
    name: 'movements_of_documents',
    title:
      'notes that stand, and posted invoices where no note did, have moved exactly their lines; drafts and what is cancelled nothing',
    sql: `with lines as (
        select l.tenant_id, d.id, l.item_id, l.warehouse_id,
          case when d.status in ('D', 'X') or s.rectifying and not d.return_stock then 0
            when d.doc_type in ('SINV', 'PINV') and l.base_type in ('SDN', 'PDN') then 0
            when d.doc_type in ('SDN', 'SINV') then -l.base_quantity else l.base_quantity end as quantity
        from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
        join series s on s.tenant_id = d.tenant_id and s.id = d.series_id
        where d.doc_type in ('SDN', 'SINV', 'PDN', 'PINV') and l.warehouse_id is not null
        union all
        select tenant_id, document_id, item_id, warehouse_id, -quantity from stock_movements where document_id is not null
      )
      select tenant_id, id::text, bool_and(rest = 0) as ok
      from (select tenant_id, id, item_id, warehouse_id, sum(quantity) as rest from lines group by 1, 2, 3, 4) places
      group by 1, 2`,
  },
  {
    name: 'movements_of_operations',
    title:
      'each count has moved its differences and each transfer its goods, out of one place and into the other, on its day',
    sql: `with lines as (
        select o.tenant_id, o.id, o.date, (l->>'itemId')::uuid as item_id, o.warehouse_id, (l->>'zoneId')::uuid as zone_id,
          (l->>'batchId')::uuid as batch_id, (l->>'difference')::numeric as quantity
        from stock_operations o cross join jsonb_array_elements(o.lines) l where o.kind = 'adjustment'
        union all
        select o.tenant_id, o.id, o.date, (l->>'itemId')::uuid, place.warehouse_id, place.zone_id, (p->>'batchId')::uuid, place.sign * (p->>'quantity')::numeric
        from stock_operations o cross join jsonb_array_elements(o.lines) l cross join jsonb_array_elements(l->'moved') p
        cross join lateral (values (o.warehouse_id, (p->>'zoneId')::uuid, -1), (o.to_warehouse_id, (l->>'toZoneId')::uuid, 1)) as place (warehouse_id, zone_id, sign)
        where o.kind = 'transfer'
        union all
        select tenant_id, operation_id, date, item_id, warehouse_id, zone_id, batch_id, -quantity from stock_movements where operation_id is not null
      )
      select tenant_id, id::text, bool_and(rest = 0) as ok
      from (select tenant_id, id, date, item_id, warehouse_id, zone_id, batch_id, sum(quantity) as rest from lines group by 1, 2, 3, 4, 5, 6, 7) places
      group by 1, 2`,
  },
  {
    name: 'transferred_layers',
    title: 'what was transferred left as much elsewhere; within one warehouse it kept its value to the last decimal',
    sql: `select l.tenant_id, l.id::text, l.quantity = -s.quantity and (l.warehouse_id = s.warehouse_id) = (l.given_cost is null)
        and (l.given_cost is not null or (l.average_change, l.fifo_change) = (-s.average_change, -s.fifo_change)) as ok
      from stock_layers l left join stock_layers s on s.tenant_id = l.tenant_id and s.id = l.source_id
      where l.source_id is not null`,
  },
];

const AMOUNTS: readonly Invariant[] = [
  {
    name: 'line_amounts',
    title: 'line amount = quantity × price × (1 − discount), rounded',
    sql: `select tenant_id, id::text, exists (select from ${PRECISIONS}
        where amount = round(quantity * price * (100 - discount_percent) / 100, places)) as ok
      from document_lines`,
  },
  {
    name: 'document_totals',
    title: 'subtotal = Σ lines, tax = Σ taxes, total = subtotal + tax − withholding',
    sql: `select d.tenant_id, d.id::text,
        d.subtotal = coalesce(l.amount, 0) and d.tax_total = coalesce(t.amount, 0)
        and d.total = d.subtotal + d.tax_total - d.withholding_amount as ok
      from documents d
      left join (select tenant_id, document_id, sum(amount) as amount from document_lines group by 1, 2) l
        on l.tenant_id = d.tenant_id and l.document_id = d.id
      left join (select tenant_id, document_id, sum(amount + surcharge_amount) as amount from document_taxes group by 1, 2) t
        on t.tenant_id = d.tenant_id and t.document_id = d.id`,
  },
  {
    name: 'taxes',
    title: 'tax = rate × Σ lines of the rate, rounded once',
    sql: `with lines as (
        select tenant_id, document_id, tax_group_id, tax_rate as rate, surcharge_rate, sum(amount) as base
        from document_lines group by 1, 2, 3, 4, 5
      )
      select coalesce(l.tenant_id, t.tenant_id) as tenant_id, coalesce(l.document_id, t.document_id)::text as id,
        l.base = t.base and exists (select from ${PRECISIONS} where t.amount = round(l.base * l.rate / 100, places)
          and t.surcharge_amount = round(l.base * l.surcharge_rate / 100, places)) as ok
      from lines l
      full join document_taxes t on t.tenant_id = l.tenant_id and t.document_id = l.document_id
        and t.tax_group_id = l.tax_group_id and t.rate = l.rate and t.surcharge_rate = l.surcharge_rate`,
  },
  {
    name: 'documents_have_lines',
    title: 'each document has 1 to 1,000 lines, numbered from 1',
    sql: `select d.tenant_id, d.id::text, count(l.id) between 1 and 1000 and max(l.line_number) = count(l.id) and min(l.line_number) = 1 as ok
      from documents d left join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      group by 1, 2`,
  },
];

const NUMBERS: readonly Invariant[] = [
  {
    name: 'series_numbers',
    title: 'numbers run from firstNumber to nextNumber − 1, without gap or repeat',
    sql: `select s.tenant_id, s.doc_type || ' ' || s.prefix || s.suffix as id,
        count(d.number) = s.next_number - s.first_number and count(distinct d.number) = count(d.number)
        and coalesce(min(d.number) = s.first_number and max(d.number) = s.next_number - 1, true) as ok
      from series s left join documents d on d.tenant_id = s.tenant_id and d.series_id = s.id
      group by s.tenant_id, s.id, s.doc_type, s.prefix, s.suffix, s.next_number, s.first_number`,
  },
  {
    name: 'numbered_when_valid',
    title: 'only drafts, and drafts that were cancelled, have no number; a document is of its series’ type',
    sql: `select d.tenant_id, d.id::text,
        (d.number is null) = (d.code is null) and d.doc_type = s.doc_type
        and case when d.doc_type not in ('SINV', 'PINV') then d.number is not null and d.status <> 'D'
          when d.status = 'D' then d.number is null and d.posted_at is null
          when d.status = 'X' then (d.number is null) = (d.posted_at is null)
          else d.number is not null and d.posted_at is not null end as ok
      from documents d left join series s on s.tenant_id = d.tenant_id and s.id = d.series_id`,
  },
];

const PROGRESS: readonly Invariant[] = [
  {
    name: 'delivered_quantities',
    title: 'delivered and invoiced quantity of a line = Σ of the lines based on it',
    sql: `select l.tenant_id, l.id::text,
        l.delivered_quantity = ${basedQuantity(`'SDN', 'PDN'`)} and l.invoiced_quantity = ${basedQuantity(`'SINV', 'PINV'`)} as ok
      from document_lines l`,
  },
  {
    name: 'returned_quantities',
    title: 'returned quantity of a line = Σ of what was returned or rectified of it, and never more than it has',
    sql: `select l.tenant_id, l.id::text, l.returned_quantity = ${TAKEN_BACK} and l.returned_quantity <= greatest(l.quantity, 0) as ok
      from document_lines l`,
  },
  {
    name: 'not_more_than_ordered',
    title: 'no more is delivered or invoiced than there is, unless allowOverDelivery',
    sql: `select l.tenant_id, l.id::text, l.delivered_quantity + l.invoiced_quantity <= greatest(l.quantity, 0)
        or ${flag('l.tenant_id', 'allowOverDelivery')} as ok
      from document_lines l
      where l.delivered_quantity <> 0 or l.invoiced_quantity <> 0`,
  },
  {
    name: 'status_by_quantities',
    title:
      'orders and notes: O nothing taken, P a part, C all that was not given up; only closed orders gave up something; returns stay O',
    sql: `select d.tenant_id, d.id::text, d.status = case
          when bool_and(l.delivered_quantity + l.invoiced_quantity + l.returned_quantity + l.closed_quantity >= abs(l.quantity)) then 'C'
          when bool_or(l.delivered_quantity + l.invoiced_quantity + l.returned_quantity <> 0) then 'P' else 'O' end
        and (d.closed_at is null or d.status = 'C') and (d.doc_type in ('SO', 'PO') or bool_and(l.closed_quantity = 0)) as ok
      from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      where d.doc_type in ('SO', 'PO', 'SDN', 'PDN') and d.status <> 'X'
      group by d.tenant_id, d.id, d.status, d.closed_at`,
  },
  {
    name: 'bases',
    title: 'a base line is of the named base document, of its type, partner and company',
    sql: `select l.tenant_id, l.id::text, b.document_id = l.base_id and bd.doc_type = l.base_type and bd.partner_id = d.partner_id
        and (bd.status <> 'X' or d.status = 'X') as ok
      from document_lines l
      join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
      left join document_lines b on b.tenant_id = l.tenant_id and b.id = l.base_line_id
      left join documents bd on bd.tenant_id = b.tenant_id and bd.id = b.document_id
      where l.base_id is not null or l.base_line_id is not null or l.base_type is not null`,
  },
  {
    name: 'what_takes_back',
    title:
      'what is returned or rectified stands, is of the same type and partner, and its lines are taken back below zero by it alone',
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
];

const ACCOUNTING_TIME: readonly Invariant[] = [
  {
    name: 'dates_in_periods',
    title: 'each document, count and transfer is dated within its period',
    sql: `select d.tenant_id, d.id::text, d.date between p."from" and p."to" as ok
      from (select tenant_id, id, date, period_id from documents union all select tenant_id, id, date, period_id from stock_operations) d
      left join periods p on p.tenant_id = d.tenant_id and p.id = d.period_id`,
  },
  {
    name: 'no_drafts_in_closed_periods',
    title: 'no draft is left in a closed period',
    sql: `select p.tenant_id, p.code as id, not exists (select from documents d
        where d.tenant_id = p.tenant_id and d.period_id = p.id and d.status = 'D') as ok
      from periods p where p.status = 'C'`,
  },
];

/** References that no foreign key enforces. */
const REFERENCES: readonly Invariant[] = [
  {
    name: 'movement_lines',
    title: 'a movement’s line is of its document, item and company; the document is, or was, there',
    sql: `select m.tenant_id, m.id::text, l.document_id = m.document_id and l.item_id = m.item_id
        or l.id is null and exists (select from audit_logs a where a.tenant_id = m.tenant_id and a.entity_id = m.document_id and a.action = 'DELETE') as ok
      from stock_movements m
      left join document_lines l on l.tenant_id = m.tenant_id and l.id = m.document_line_id
      where m.document_line_id is not null`,
  },
  {
    name: 'files_of_documents',
    title: 'a document’s file is of a document of the same company that is, or was, there',
    sql: `select f.tenant_id, f.id::text, exists (select from documents d where d.tenant_id = f.tenant_id and d.id = f.entity_id)
        or exists (select from audit_logs a where a.tenant_id = f.tenant_id and a.entity_id = f.entity_id and a.action = 'DELETE') as ok
      from files f where f.entity_id is not null`,
  },
  {
    name: 'attempts_of_events',
    title: 'a webhook attempt names an event of the same company',
    sql: `select a.tenant_id, a.id::text, exists (select from outbox o where o.tenant_id = a.tenant_id and o.id = a.event_id) as ok
      from webhook_attempts a
      where a.document_id is not null and a.sent_at > (select min(o.created_at) from outbox o where o.tenant_id = a.tenant_id)`,
  },
  {
    name: 'one_success_each',
    title: 'an event was delivered to a webhook with success at most once, and nothing was sent after it',
    sql: `select tenant_id, webhook_id || ' ' || event_id as id,
        count(*) filter (where status = 'success') <= 1
        and coalesce(max(attempt) filter (where status = 'success') = max(attempt), true) as ok
      from webhook_attempts group by tenant_id, webhook_id, event_id`,
  },
];

const DOCUMENT_ENTITIES = `'SalesOrder', 'SalesDeliveryNote', 'SalesInvoice', 'PurchaseOrder', 'PurchaseDeliveryNote', 'PurchaseInvoice'`;

const TRACES: readonly Invariant[] = [
  {
    name: 'one_event_per_change',
    title: 'each change of a document has its audit record and its event, one of each',
    sql: `with changes as (
        select tenant_id, entity_id, action, count(*) as n from audit_logs
        where entity_type in (${DOCUMENT_ENTITIES}) group by 1, 2, 3
      ), happened as (
        select tenant_id, entity_id, count(*) as n,
          case event when 'document.created' then 'CREATE' when 'document.deleted' then 'DELETE' else 'UPDATE' end as action
        from outbox where entity_type in (${DOCUMENT_ENTITIES}) and event like 'document.%' group by 1, 2, 4
      )
      select coalesce(c.tenant_id, h.tenant_id) as tenant_id, coalesce(c.entity_id, h.entity_id) || ' ' || coalesce(c.action, h.action) as id,
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
      from outbox where processed_at is null`,
  },
];

/** All of them, in the order in which they are printed. */
export const INVARIANTS: readonly Invariant[] = [
  ...STOCK,
  ...AMOUNTS,
  ...NUMBERS,
  ...PROGRESS,
  ...ACCOUNTING_TIME,
  ...REFERENCES,
  ...TRACES,
];
