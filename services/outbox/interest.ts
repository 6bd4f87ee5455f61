/** Who wants an event. An event that nobody wants starts nothing. */
import type { Db } from '../../db/database.ts';
import { DOCUMENT_PAID, isInternalEvent } from '../../domain/internal-events.ts';
import type { ClaimedEvent } from './claim.ts';

export interface InterestedWebhook {
  readonly webhookId: string;
  readonly active: boolean;
}

/**
 * The webhooks of each event's tenant that subscribe to it by name, by prefix (`document.*`) or to all (`*`).
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
  const { rows } = (await trx.raw(
    `select o.id as "eventId", w.id as "webhookId", w.status = 'active' as active
     from unnest(?::uuid[], ?::uuid[], ?::text[]) as o (id, tenant_id, event)
     join webhooks w on w.tenant_id = o.tenant_id
       and w.events && array['*', o.event, split_part(o.event, '.', 1) || '.*']`,
    [news.map((event) => event.id), news.map((event) => event.tenantId), news.map((event) => event.event)],
  )) as { rows: (InterestedWebhook & { eventId: string })[] };
  for (const { eventId, webhookId, active } of rows) {
    const list = wanted.get(eventId) ?? [];
    list.push({ webhookId, active });
    wanted.set(eventId, list);
  }
  return wanted;
}
