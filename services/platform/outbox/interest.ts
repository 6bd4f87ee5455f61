/** Finds the webhooks that want an event. An event without any starts nothing. */
import type { Db } from '../../../db/database.ts';
import { prepared, query } from '../../../db/sql.ts';
import { subscriptionsTo } from '../../../domain/integrations/webhooks/events.ts';
import { type FilteredListener, type HappenedEvent, wants } from '../../../domain/integrations/webhooks/filters.ts';
import { nameFor } from '../../../domain/integrations/webhooks/forms.ts';
import { isNews } from '../../../domain/platform/internal-events.ts';
import { pauses } from '../threads/pauses.ts';
import type { ClaimedEvent } from './claim.ts';

type Happened = Pick<ClaimedEvent, 'id' | 'tenantId' | 'event'>;

export interface InterestedWebhook {
  readonly webhookId: string;
  /** The webhook's name. */
  readonly name: string;
  readonly active: boolean;
  /** Name of the event to which it subscribed. */
  readonly event: string;
  /** Why its filters failed, so that the event is not delivered; null if they did not fail. */
  readonly filterError: string | null;
}

/** The webhooks to which the event is sent: others are inactive, or nobody knows whether they want it. */
export function wanting(found: readonly InterestedWebhook[]): readonly InterestedWebhook[] {
  return found.filter(({ active, filterError }) => active && filterError === null);
}

interface Subscriber extends FilteredListener {
  readonly webhookId: string;
  readonly name: string;
  readonly tenantId: string;
  readonly active: boolean;
}

/**
 * Finds the webhooks of each event's tenant that subscribe to it by name, by prefix (`document.*`) or to all (`*`), and whose filters
 * match.
 * @param trx a system transaction
 * @returns webhooks by event id; events without any are absent
 */
export async function interestedWebhooks(
  trx: Db,
  events: readonly Happened[],
): Promise<Map<string, InterestedWebhook[]>> {
  const news = events.filter(({ event }) => isNews(event));
  const subscribers = await loadSubscribers(trx, news);
  const interest = news.flatMap((event) => {
    const names = new Set(subscriptionsTo(event.event));
    const listeners = (subscribers.get(event.tenantId) ?? []).filter((one) =>
      one.events.some((name) => names.has(name)),
    );
    return listeners.length === 0 ? [] : [{ event, listeners }];
  });
  const data = await loadEvents(
    trx,
    interest.filter(({ listeners }) => listeners.some(isFiltered)).map(({ event }) => event.id),
  );
  const wanted = new Map<string, InterestedWebhook[]>();
  const pause = pauses();
  for (const { event, listeners } of interest) {
    const webhooks: InterestedWebhook[] = [];
    for (const one of listeners) {
      webhooks.push(...matchSubscriber(one, event.event, data.get(event.id)));
      await pause();
    }
    if (webhooks.length > 0) wanted.set(event.id, webhooks);
  }
  return wanted;
}

/** Whether any webhook of the company may want an event; if not, the relay ignores it. */
export async function isListenedTo(trx: Db, event: string): Promise<boolean> {
  const sql = 'select exists (select from webhooks where events && :names::text[]) as listened';
  const [found] = await prepared<{ listened: boolean }>(trx, sql, { names: [...subscriptionsTo(event)] });
  return found?.listened === true;
}

/** Determines one webhook's interest in one event. Failing filters affect only this webhook and this event. */
function matchSubscriber(one: Subscriber, event: string, happened: HappenedEvent | undefined): InterestedWebhook[] {
  const interested = (filterError: string | null): InterestedWebhook[] => [
    { webhookId: one.webhookId, name: one.name, active: one.active, event: nameFor(one, event), filterError },
  ];
  if (!isFiltered(one)) return interested(null);
  try {
    return happened !== undefined && wants(one, happened) ? interested(null) : [];
  } catch (error) {
    return interested(error instanceof Error ? error.message : String(error));
  }
}

function isFiltered({ filters, filterTypes }: FilteredListener): boolean {
  return filters !== null || filterTypes !== null;
}

/** Loads the webhooks that may want any of the events, each once, by tenant. */
async function loadSubscribers(trx: Db, events: readonly Happened[]): Promise<Map<string, Subscriber[]>> {
  const groups = byTenant(events);
  if (groups.size === 0) return new Map();
  const tenants = [...groups].map(([tenantId, those]) => {
    return { tenant_id: tenantId, names: [...new Set(those.flatMap(({ event }) => subscriptionsTo(event)))] };
  });
  const subscribers = await prepared<Subscriber>(
    trx,
    `select w.id as "webhookId", w.name, w.tenant_id as "tenantId", w.status = 'active' as active, w.form, w.events, w.filters,
      w.filter_types as "filterTypes"
     from json_to_recordset(:tenants::json) as t (tenant_id uuid, names text[])
     join webhooks w on w.tenant_id = t.tenant_id and w.events && t.names
     order by w.id`,
    { tenants: JSON.stringify(tenants) },
  );
  return byTenant(subscribers);
}

function byTenant<T extends { readonly tenantId: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(entry.tenantId) ?? [];
    group.push(entry);
    groups.set(entry.tenantId, group);
  }
  return groups;
}

/** Loads the data of events; called only if a filter needs it. */
async function loadEvents(trx: Db, ids: readonly string[]): Promise<Map<string, HappenedEvent>> {
  if (ids.length === 0) return new Map();
  const events = await query<HappenedEvent>(
    trx,
    `select id, tenant_id as "tenantId", event, created_at as "createdAt", payload as data from outbox where id = any(:ids::uuid[])`,
    { ids: [...ids] },
  );
  return new Map(events.map((event) => [event.id, event]));
}
