import { reference } from './schema.ts';

/**
 * What a receipt cost may change after its day: by its invoice, which is a movement of quantity zero. The cost of what has left follows,
 * also of goods that left before they came: what is owed of them is a layer below zero (decision 0155).
 */
export const up = `
  alter table stock_movements drop constraint stock_movements_quantity_check;
  alter table stock_layers
    drop constraint stock_layers_remaining_check,
    add constraint stock_layers_remaining_check check (remaining >= 0 or quantity < 0) not valid,
    -- Of valuation movements: the receipt, how much more it cost, and the movement elsewhere whose change of cost this one carries on.
    add column adjusts_id uuid,
    add column given_value numeric(30,12),
    add column given_fifo_value numeric(30,12),
    add column follows_id uuid,
    -- What a movement changed of the worth of earlier ones, by their ids; and the sums, at those.
    add column settles jsonb,
    add column average_settled numeric(30,12) not null default 0,
    add column fifo_settled numeric(30,12) not null default 0,
    add ${reference('stock_layers', 'adjusts_id', 'stock_layers')},
    add ${reference('stock_layers', 'follows_id', 'stock_layers')};
  -- What was sold below zero is settled when its values are worked out once more, from the first open day on: closed days stay.
  alter table stock_layers no force row level security;
  alter table outbox no force row level security;
  alter table periods no force row level security;
  alter table fiscal_years no force row level security;
  create temporary table below_zero on commit drop as
    select l.tenant_id, l.item_id, l.warehouse_id, greatest(min(l.date), c.open_from) as date
    from stock_layers l left join (
      select tenant_id, max("to") + 1 as open_from
      from (select tenant_id, "to" from periods where status = 'C'
        union all select tenant_id, "to" from fiscal_years where status = 'closed') days
      group by tenant_id) c on c.tenant_id = l.tenant_id
    group by l.tenant_id, l.item_id, l.warehouse_id, c.open_from having min(l.quantity_after) < 0;
  -- What is owed then is carried over, by the latest that left without a layer.
  with owed as (
    select b.*, -last.quantity_after as quantity from below_zero b
    cross join lateral (select l.quantity_after from stock_layers l
      where (l.tenant_id, l.item_id, l.warehouse_id) = (b.tenant_id, b.item_id, b.warehouse_id) and l.date < b.date
      order by l.date desc, l.seq desc limit 1) last
    where last.quantity_after < 0
  ), gone as (
    select l.id, o.quantity, u.uncovered, sum(u.uncovered) over (partition by l.tenant_id, l.item_id, l.warehouse_id
      order by l.date desc, l.seq desc rows unbounded preceding) as until
    from owed o join stock_layers l
      on (l.tenant_id, l.item_id, l.warehouse_id) = (o.tenant_id, o.item_id, o.warehouse_id) and l.date < o.date and l.quantity < 0
    cross join lateral (select -l.quantity + coalesce(sum(p.value::numeric), 0) as uncovered from jsonb_each_text(l.parts) p) u
  ), carried as (
    select id, least(uncovered, quantity - until + uncovered) as part from gone where uncovered > 0
  )
  update stock_layers l set remaining = -c.part,
    parts = coalesce(l.parts, '{}') || jsonb_build_object(l.id, (-c.part)::text)
  from carried c where l.id = c.id and c.part > 0;
  insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', item_id,
    json_build_object('item_id', item_id, 'warehouse_id', warehouse_id, 'date', date), now()
  from below_zero;
  alter table fiscal_years force row level security;
  alter table periods force row level security;
  alter table stock_layers force row level security;
  alter table outbox force row level security;
`;
