import { perTenant } from './per-tenant.ts';

/**
 * What was sold below zero is worked out once more ten minutes after the upgrade: a worker of the previous release that still ran may have
 * handled the events of 0080 by its own rules, which owe nothing, and its API may have sold more meanwhile.
 */
const LATER = "now() + interval '10 minutes'";

export const up = perTenant(`
  insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, locked_until)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', item_id,
    json_build_object('item_id', item_id, 'warehouse_id', warehouse_id, 'date', date), ${LATER}, ${LATER}
  from (
    select l.tenant_id, l.item_id, l.warehouse_id, greatest(min(l.date), c.open_from) as date
    from stock_layers l cross join (
      select max("to") + 1 as open_from
      from (select "to" from periods where status = 'C' union all select "to" from fiscal_years where status = 'closed') days) c
    group by l.tenant_id, l.item_id, l.warehouse_id, c.open_from having min(l.quantity_after) < 0) below_zero
  where not exists (select from outbox o where o.entity_id = below_zero.item_id and o.processed_at is null and o.dead_at is null
    and o.event = 'internal.stock_revaluation_due' and o.payload->>'warehouse_id' = below_zero.warehouse_id::text
    and o.created_at > now());
`);
