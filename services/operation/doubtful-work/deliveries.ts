/** Holds deliveries to webhooks: they are entered in the log as skipped, from where a person may have them sent again. */
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { listEventWork } from '../missing-work/event-work.ts';
import { type Count, heldReason, type Restored } from './restored.ts';

/** A delivery that may have been made. */
export interface Doubtful {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** The request to redeliver; null for the first delivery. */
  readonly redeliveryId: string | null;
}

/** Holds the deliveries that had neither arrived nor been given up. */
export async function holdDeliveries(database: Database, restored: Restored, count: Count): Promise<void> {
  const time = { since: restored.since, until: restored.now };
  let cursor: string | null = null;
  do {
    const page = await listEventWork(database, cursor, time);
    const doubtful = page.items
      .flatMap((one) => (one.kind === 'deliveries' || one.kind === 'redeliveries' ? [one] : []))
      .filter(({ tenantId }) => restored.only === undefined || tenantId === restored.only);
    await enterHeld(database, doubtful, restored, count);
    cursor = page.next;
  } while (cursor !== null);
}

/** Enters deliveries as skipped. Those that are already in the log as such stay as they are. */
export async function enterHeld(
  database: Database,
  doubtful: readonly Doubtful[],
  restored: Restored,
  count: Count,
): Promise<void> {
  if (doubtful.length === 0) return;
  const rows = doubtful.map(({ tenantId, webhookId, eventId, redeliveryId }) => {
    const ids = { id: newId(), tenant_id: tenantId, webhook_id: webhookId, event_id: eventId };
    return { ...ids, redelivery_id: redeliveryId };
  });
  const entered = await database.withSystem((trx) =>
    query<{ tenantId: string }>(trx, ENTER, {
      rows: JSON.stringify(rows),
      error: heldReason(restored).en,
      now: restored.now.toISOString(),
    }),
  );
  for (const { tenantId } of entered) count(tenantId, { deliveries: 1 });
}

/** Attempt 0 stands for an event that was not sent; a redelivery takes the next number, as its own attempts would. */
const ENTER = `
  insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, document_id, attempt, status, error, sent_at, redelivery_id)
  select r.id, r.tenant_id, r.webhook_id, r.event_id, o.event, d.id,
    case when r.redelivery_id is null then 0 else 1 + (select coalesce(max(a.attempt), 0) from webhook_attempts a
      where a.tenant_id = r.tenant_id and a.webhook_id = r.webhook_id and a.event_id = r.event_id) end,
    'skipped', :error, :now::timestamptz, r.redelivery_id
  from json_to_recordset(:rows::json) as r (id uuid, tenant_id uuid, webhook_id uuid, event_id uuid, redelivery_id uuid)
  join outbox o on o.tenant_id = r.tenant_id and o.id = r.event_id
  join webhooks w on w.tenant_id = r.tenant_id and w.id = r.webhook_id
  left join documents d on d.tenant_id = r.tenant_id and d.id::text = o.payload ->> 'document_id'
  on conflict (tenant_id, webhook_id, event_id, attempt) do nothing
  returning tenant_id as "tenantId"`;
