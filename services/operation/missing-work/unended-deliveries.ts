/** Finds deliveries without a final outcome in the attempts of their webhooks. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { DeliveryAbout } from '../../../workflows/integrations/webhooks/contract.ts';

/** An event and a webhook: its delivery, or a redelivery on request. */
export interface Pair {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly redeliveryId: string | null;
  readonly about: DeliveryAbout;
}

interface Unended {
  readonly nth: number;
  readonly tenantId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly entityId: string;
  readonly happenedAt: string;
  readonly changedSince: boolean;
}

/**
 * Selects the pairs that were neither delivered nor skipped and have attempts left. Webhooks that were created or subscribed after the
 * event do not get it.
 */
export async function findUnendedPairs(database: Database, pairs: readonly Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const given = pairs.map(({ tenantId, webhookId, eventId, redeliveryId }, nth) => {
    return { nth, tenant_id: tenantId, webhook_id: webhookId, event_id: eventId, redelivery_id: redeliveryId };
  });
  const unended = await database.withSystem((trx) => query<Unended>(trx, UNENDED, { pairs: JSON.stringify(given) }));
  const unwanted = await findUnwanted(database, unended);
  return unended.filter(({ nth }) => !unwanted.has(nth)).map(({ nth }) => pairs[nth] as Pair);
}

/** Counts attempts of the request itself; attempt 0 records a skipped event. An event that arrived by any attempt is delivered. */
const UNENDED = `
  select p.nth, p.tenant_id as "tenantId", p.webhook_id as "webhookId", o.event, o.entity_id as "entityId", o.created_at as "happenedAt",
     w.updated_at > o.created_at and p.redelivery_id is null and a.made = 0 as "changedSince"
  from json_to_recordset(:pairs::json) as p (nth integer, tenant_id uuid, webhook_id uuid, event_id uuid, redelivery_id uuid)
  join webhooks w on w.tenant_id = p.tenant_id and w.id = p.webhook_id
  join outbox o on o.tenant_id = p.tenant_id and o.id = p.event_id and o.created_at >= case when p.redelivery_id is null then w.created_at
    else o.created_at end
  cross join lateral (
    select count(*) filter (where attempt > 0 and redelivery_id is not distinct from p.redelivery_id)::int as made,
      coalesce(bool_or(redelivery_id is not distinct from p.redelivery_id and http_status = 410), false) as gone,
      coalesce(bool_or(attempt = 0 or status = 'success'), false) as ended,
      coalesce(bool_or(status in ('success', 'skipped') and redelivery_id = p.redelivery_id), false) as ended_again
    from webhook_attempts l where l.tenant_id = p.tenant_id and l.webhook_id = p.webhook_id and l.event_id = p.event_id) a
  where not a.gone and a.made < (w.retry_policy ->> 'max_attempts')::integer
    and case when p.redelivery_id is null then not a.ended else w.status = 'active' and not a.ended_again end`;

/** Finds, by `nth`, pairs whose webhook had another subscription when the event happened, and alerts about the webhook itself. */
async function findUnwanted(database: Database, unended: readonly Unended[]): Promise<Set<number>> {
  const unwanted = new Set<number>();
  const unsure = unended.filter(({ changedSince, event }) => changedSince || event === 'notification.created');
  for (const tenantId of new Set(unsure.map((one) => one.tenantId))) {
    const those = unsure.filter((one) => one.tenantId === tenantId);
    const rows = await database.readTenant({ tenantId }, (db) =>
      query<{ nth: number }>(db, UNWANTED, {
        unsure: JSON.stringify(
          those.map(({ nth, webhookId, entityId, happenedAt }) => [nth, webhookId, entityId, happenedAt]),
        ),
      }),
    );
    for (const { nth } of rows) unwanted.add(nth);
  }
  return unwanted;
}

const SUBSCRIPTION = ['events', 'filters', 'filterTypes'];
const subscription = (column: string) => SUBSCRIPTION.map((member) => `${column} ->> '${member}'`).join(', ');
const UNWANTED = `
  select (a ->> 0)::integer as nth from json_array_elements(:unsure::json) as a
  where exists (select from audit_logs l where l.entity_type = 'Webhook' and l.entity_id = (a ->> 1)::uuid and l.action = 'UPDATE'
      and l.created_at > (a ->> 3)::timestamptz and row(${subscription('l.old_value')}) is distinct
        from row(${subscription('l.new_value')}))
    or exists (select from notifications n where n.id = (a ->> 2)::uuid and n.metadata ->> 'webhook_id' = a ->> 1)`;
