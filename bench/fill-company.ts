/**
 * A company with a history of several years, created by SQL: sales invoices with lines, taxes, stock and payments. The number of open
 * invoices does not grow with the history, and the distribution is constant: half of them over the counter, a fixed number to one regular
 * customer.
 */
import type { Stage } from './stage.ts';

const PARTNERS = 2000;
const ITEMS = 4000;
/** Numbers of open invoices, recent and old, independent of the length of the history; likewise those of the regular customer. */
const OPEN = { latest: 900, old: 100 };
const REGULAR = 500;
const YEARS = 4;
const STOCK = 10_000_000;

export interface FilledCompany {
  readonly regularCustomerId: string;
  readonly regularCustomer: string;
  /** Ids of items with stock. */
  readonly items: readonly string[];
  readonly customers: readonly string[];
  /** Code of an invoice in the middle of the history. */
  readonly code: string;
}

/** Fills the company of a new stage. @param count number of invoices */
export async function fillCompany({ client, fill, tenantId }: Stage, count: number): Promise<FilledCompany> {
  const first = async (path: string): Promise<string> => (await client.get(path)).body.data[0].id;
  const own: Own = {
    tenant: tenantId,
    customers: await first('/api/partnerGroups?isCustomer=true'),
    uom: await first('/api/uom?code=UD'),
    tax: await first('/api/taxes?code=IVA21'),
    warehouse: await first('/api/warehouses?isDefault=true'),
    series: await first('/api/series?docType=SINV&rectifying=false&isDefault=true'),
  };
  await fill([BEGIN, HELPERS, masterData(own), history(own, count), trade(own, count), WITH_INDEXES].join(';\n'));
  await fill('vacuum (analyze)');
  const ids = async (path: string) =>
    ((await client.get(path)).body.data as { id: string; name: string; code: string }[]).map(({ id }) => id);
  const regular = (await client.get(`/api/partners?code=C${pad(2)}`)).body.data[0];
  const invoices = `/api/sales/invoices?partnerId=${regular.id}&sort=date&limit=1&page=${REGULAR / 2}`;
  return {
    regularCustomerId: regular.id,
    regularCustomer: regular.name,
    items: await ids('/api/items?code[contains]=A0&limit=500'),
    customers: await ids('/api/partners?code[contains]=C0&limit=500'),
    code: (await client.get(invoices)).body.data[0].code,
  };
}

interface Own {
  readonly tenant: string;
  readonly customers: string;
  readonly uom: string;
  readonly tax: string;
  readonly warehouse: string;
  readonly series: string;
}

const pad = (n: number) => String(n).padStart(6, '0');

/** Disables triggers, and drops the indexes, which are faster to build on filled tables. */
const BEGIN = `
  set session_replication_role = replica; set timezone = 'UTC'; set work_mem = '256MB'; set maintenance_work_mem = '512MB';
  create temp table indexes as select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where not indisunique and indrelid in ('documents'::regclass, 'document_lines'::regclass, 'document_taxes'::regclass,
      'payments'::regclass, 'payment_applications'::regclass, 'stock_movements'::regclass, 'stock_layers'::regclass);
  do $$ declare one text; begin for one in select name from indexes loop execute 'drop index ' || one; end loop; end $$`;

const WITH_INDEXES = `
  do $$ declare one text; begin for one in select definition from indexes loop execute one; end loop; end $$`;

/** Functions for ids in order of time, from the kind of a row, its time and its number. */
const HELPERS = `
  create function pg_temp.key(kind text, n bigint, at date) returns uuid language sql immutable as $$
    select (lpad(to_hex(extract(epoch from at)::bigint * 1000), 12, '0') || '7' || kind || '8' || lpad(to_hex(n), 15, '0'))::uuid $$`;

const masterData = ({ tenant, customers, uom, tax, warehouse }: Own) => `
  insert into partners (id, tenant_id, code, name, nif, group_id, country_code, payment_term_days, credit_limit, created_at, updated_at)
    select pg_temp.key('001', n, '2020-01-01'), '${tenant}', 'C' || lpad(n::text, 6, '0'),
      case n when 1 then 'Mostrador' when 2 then 'Ferretería Habitual' else (array['Talleres', 'Suministros', 'Comercial', 'Hermanos',
        'Electricidad'])[1 + n % 5] || ' ' || n end, 'X' || n, '${customers}', 'ES', 30, 1e9, now(), now()
    from generate_series(1, ${PARTNERS}) n;
  insert into items (id, tenant_id, code, sku, name, uom_id, sale_price, purchase_price, stock_tracked, sales_tax_group_id,
      purchase_tax_group_id, created_at, updated_at)
    select pg_temp.key('002', n, '2020-01-01'), '${tenant}', 'A' || lpad(n::text, 6, '0'), 'S' || n, 'Artículo ' || n, '${uom}', 3.5, 2,
      true, '${tax}', '${tax}', now(), now()
    from generate_series(1, ${ITEMS}) n;
  create temp table stocked as select pg_temp.key('002', n, '2020-01-01') as item_id, '${warehouse}'::uuid as warehouse_id, n
    from generate_series(1, ${ITEMS}) n`;

/** Earlier years with periods and series, and a table of the invoices with partner, date and amount. */
const history = ({ tenant, series }: Own, count: number) => `
  create temp table years as select y, extract(year from now())::integer - y as year from generate_series(0, ${YEARS - 1}) y;
  insert into periods (id, tenant_id, code, name, "from", "to", created_at, updated_at)
    select gen_random_uuid(), tenant_id, to_char(day, 'YYYY-MM'), name, day, (day + interval '1 month - 1 day')::date, now(), now()
    from years, periods, lateral (select ("from" - make_interval(years => y))::date as day) d where y > 0 and tenant_id = '${tenant}';
  insert into series (id, tenant_id, doc_type, name, prefix, padding, first_number, next_number, is_default, year, created_at, updated_at)
    select gen_random_uuid(), tenant_id, doc_type, 'Facturas ' || years.year, 'SINV' || years.year || '-', padding, 1, 1, true, years.year,
      now(), now()
    from years, series where y > 0 and id = '${series}';
  create temp table invoices as
    select n, pg_temp.key('003', n, date) as id, date, row_number() over (partition by s.id order by n)::integer as number,
      s.id as series_id,
      p.id as period_id, s.prefix, s.padding, 1 + n % 5 as quantity, 10 + (n * 7919 % 9000) * 0.05 as price,
      n > ${count - OPEN.latest} or n % ${count / OPEN.old} = 1 as open,
      pg_temp.key('001', case when n % ${count / REGULAR} = 0 then 2 when n % 2 = 0 then 1 else 3 + n % ${PARTNERS - 2} end,
        '2020-01-01') as partner_id, pg_temp.key('002', 1 + n * 31 % ${ITEMS}, '2020-01-01') as item_id
    from (select n, (current_date - interval '${YEARS - 1} years')::date + (n * (current_date - (current_date
      - interval '${YEARS - 1} years')::date) / ${count})::integer as date from generate_series(1, ${count}::bigint) n) spread
    join periods p on p.tenant_id = '${tenant}' and date between p."from" and p."to"
    join series s on s.tenant_id = '${tenant}' and s.doc_type = 'SINV' and not s.rectifying and s.is_default
      and s.year = extract(year from date);
  alter table invoices add total numeric, add tax numeric;
  update invoices set tax = round(quantity * price * 2 * 0.21, 2), total = quantity * price * 2 + round(quantity * price * 2 * 0.21, 2);
  update series s set next_number = top + 1 from (select series_id, max(number) as top from invoices group by 1) i
    where i.series_id = s.id`;

/** The rows of these invoices: stock that was sold, and payments of closed invoices, once a month by each customer. */
const trade = ({ tenant, tax, uom, warehouse }: Own, count: number) => `
  insert into documents (id, tenant_id, doc_type, series_id, period_id, number, code, status, payment_status, partner_id, date, due_date,
      warehouse_id, vat_regime, currency, subtotal, discount_total, tax_total, total, paid_total, reference, posted_at, created_at,
      updated_at)
    select id, '${tenant}', 'SINV', series_id, period_id, number,
      prefix || lpad(number::text, greatest(padding, length(number::text)), '0'),
      case when open then 'O' else 'C' end, case when open then 'pending' else 'paid' end, partner_id, date, date + 30, '${warehouse}',
      'general', 'EUR', total - tax, 0, tax, total, case when open then 0 else total end, case n % 10 when 0 then 'Pedido ' || n end, date,
      date, date
    from invoices order by n;
  insert into document_lines (id, tenant_id, document_id, line_number, item_id, description, quantity, price, tax_group_id, tax_rate,
      amount, warehouse_id, uom_id, base_quantity)
    select pg_temp.key('00' || (3 + line)::text, n, date), '${tenant}', id, line, case line when 1 then item_id end,
      case line when 1 then 'Artículo' else 'Montaje' end, quantity, price, '${tax}', 21, quantity * price,
      case line when 1 then '${warehouse}'::uuid end, case line when 1 then '${uom}'::uuid end, quantity
    from invoices, (values (1), (2)) lines (line) order by n;
  insert into document_taxes (id, tenant_id, document_id, tax_group_id, code, rate, base, amount)
    select pg_temp.key('006', n, date), '${tenant}', id, '${tax}', 'IVA21', 21, total - tax, tax from invoices order by n;

  create temp table moved as
    select s.item_id, s.warehouse_id, n as seq, pg_temp.key('007', n, (select min(date) from invoices)) as id,
      (select min(date) from invoices) as date, ${STOCK} as quantity, null::uuid as document_id, null::uuid as line_id
    from stocked s
    union all
    select item_id, '${warehouse}', ${ITEMS} + n, pg_temp.key('007', ${ITEMS} + n, date), date, -quantity, id, pg_temp.key('004', n, date)
    from invoices;
  create temp table standing as
    select *, sum(quantity) over (partition by item_id order by seq) as balance, first_value(id) over (partition by item_id order by seq)
      as came_in
    from moved;
  insert into stock_movements (id, tenant_id, seq, date, item_id, warehouse_id, quantity, balance, doc_type, document_id, document_line_id,
      created_at)
    select id, '${tenant}', seq, date, item_id, warehouse_id, quantity, balance, case when document_id is not null then 'SINV' end,
      document_id, line_id, date
    from standing order by seq;
  insert into stock_layers (id, tenant_id, seq, date, item_id, warehouse_id, quantity, given_cost, given_fifo_cost, unit_cost,
      fifo_unit_cost, average_change, fifo_change, remaining, quantity_after, average_after, fifo_after, last_cost, last_average, parts)
    select id, '${tenant}', seq, date, item_id, warehouse_id, quantity, case when quantity > 0 then 2 end,
      case when quantity > 0 then 2 end,
      2, 2, quantity * 2, quantity * 2, case when quantity > 0 then min(balance) over (partition by item_id) else 0 end, balance,
      balance * 2, balance * 2, 2, 2, jsonb_build_object(came_in::text, quantity)
    from standing order by seq;
  insert into stock_levels (id, tenant_id, item_id, warehouse_id, on_hand)
    select gen_random_uuid(), '${tenant}', item_id, warehouse_id, sum(quantity) from moved group by item_id, warehouse_id;
  select setval('stock_movements_seq_seq', ${ITEMS + count + 1});

  create temp table paid as
    select *, dense_rank() over (order by month, partner_id) as payment, least(month + 45, current_date) as paid_on
    from (select *, date_trunc('month', date)::date as month from invoices where not open) i;
  insert into payments (id, tenant_id, direction, partner_id, amount, applied_total, currency, date, period_id, payment_method, created_at,
      updated_at)
    select pg_temp.key('008', payment, paid_on), '${tenant}', 'in', partner_id, sum(total), sum(total), 'EUR', paid_on, p.id, 'transfer',
      paid_on, paid_on
    from paid join periods p on p.tenant_id = '${tenant}' and paid_on between p."from" and p."to"
    group by payment, paid_on, partner_id, p.id order by payment;
  insert into payment_applications (id, tenant_id, seq, payment_id, document_id, date, amount, settled, previous_status, new_status,
      created_at)
    overriding system value
    select pg_temp.key('009', n, paid_on), '${tenant}', n, pg_temp.key('008', payment, paid_on), id, paid_on, total, total, 'pending',
      'paid', paid_on
    from paid order by n;
  select setval(pg_get_serial_sequence('payment_applications', 'seq'), ${count + 1})`;
