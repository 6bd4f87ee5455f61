/** Who wants an event. An event that nobody wants starts nothing. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_PAID, isInternalEvent } from '../../domain/internal-events.ts';
import { subscriptionsTo } from '../../domain/webhooks/events.ts';
import { type FilteredListener, type HappenedEvent, wants } from '../../domain/webhooks/filters.ts';
import { nameFor } from '../../domain/webhooks/forms.ts';
import type { ClaimedEvent } from './claim.ts';

export interface InterestedWebhook {
  readonly webhookId: string;
  readonly active: boolean;
  /** The name that it hears of the event by. */
  readonly event: string;
}

interface Subscriber extends Omit<InterestedWebhook, 'event'>, FilteredListener {
  readonly eventId: string;
}

/**
 * The webhooks of each event's tenant that subscribe to it by name, by prefix (`document.*`) or to all (`*`), and whose filters let it
 * through.
 * @param trx a system transaction
 * @returns by event id; events without any are absent
 */
export async function interestedWebhooks(
  trx: Db,
  events: readonly ClaimedEvent[],
): Promise<Map<string, InterestedWebhook[]>> {
  const wanted = new Map<string, InterestedWebhook[]>();
  const news = events.filter(({ event }) => !isInternalEvent(event) && event !== DOCUMENT_PAID);
  if (news.length === 0) return wanted;
  const subscribers = await subscribersOf(trx, news);
  const names = new Map(news.map(({ id, event }) => [id, event]));
  const happened = await eventsOf(trx, subscribers.filter(isFiltered));
  for (const subscriber of subscribers) {
    const { eventId, webhookId, active } = subscriber;
    const event = happened.get(eventId);
    if (isFiltered(subscriber) && (event === undefined || !wants(subscriber, event))) continue;
    const list = wanted.get(eventId) ?? [];
    list.push({ webhookId, active, event: nameFor(subscriber, names.get(eventId) ?? '') });
    wanted.set(eventId, list);
  }
  return wanted;
}

function isFiltered({ filters, filterTypes }: FilteredListener): boolean {
  return filters !== null || filterTypes !== null;
}

async function subscribersOf(trx: Db, events: readonly ClaimedEvent[]): Promise<Subscriber[]> {
  return await query<Subscriber>(
    trx,
    `select o.id as "eventId", w.id as "webhookId", w.status = 'active' as active, w.form, w.events, w.filters, w.filter_types as "filterTypes"
     from json_to_recordset(:events::json) as o (id uuid, tenant_id uuid, names text[])
     join webhooks w on w.tenant_id = o.tenant_id and w.events && o.names`,
    {
      events: JSON.stringify(
        events.map(({ id, tenantId, event }) => ({ id, tenant_id: tenantId, names: subscriptionsTo(event) })),
      ),
    },
  );
}

/** The data of events, read only where a filter asks for it. */
async function eventsOf(trx: Db, subscribers: readonly Subscriber[]): Promise<Map<string, HappenedEvent>> {
  const ids = [...new Set(subscribers.map(({ eventId }) => eventId))];
  if (ids.length === 0) return new Map();
  const events = await query<HappenedEvent>(
    trx,
    `select id, tenant_id as "tenantId", event, created_at as "createdAt", payload as data from outbox where id = any(:ids::uuid[])`,
    { ids },
  );
  return new Map(events.map((event) => [event.id, event]));
}
