/** Expected work that follows from handed-over events and has no row of its own: deliveries, redeliveries, revaluations. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { deliveryTitle } from '../../../domain/integrations/webhooks/texts.ts';
import { REDELIVERY_DUE, STOCK_REVALUATION_DUE, STOCK_REVALUED } from '../../../domain/platform/internal-events.ts';
import { interestedWebhooks } from '../../platform/outbox/interest.ts';
import { findUnendedPairs, type Pair } from './unended-deliveries.ts';
import type { EventSpan, ExpectedWork, WorkPage } from './work.ts';

interface PastEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly documentCode: string | null;
  /** Title and webhook of a request to redeliver an event. */
  readonly title: string | null;
  readonly webhookId: string | null;
  readonly at: string;
}

const PAGE_SIZE = 500;
/** Span of outbox time that one query covers. */
const TIME_STEP = '10 minutes';
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Lists the work that events of all companies lead to, in order of time. @param cursor time and id of the last event seen */
export async function listEventWork(database: Database, cursor: string | null, time: EventSpan): Promise<WorkPage> {
  const [at = '', id = FIRST] = (cursor ?? time.since.toISOString()).split('/');
  const until = time.until.toISOString();
  const { events, end } = await database.withSystem(async (trx) => ({
    events: await query<PastEvent>(trx, EVENTS, { at, id, until }),
    end: await query<{ at: string; last: boolean }>(trx, END, { at, until }),
  }));
  const last = events.at(-1);
  const items = [...(await deliveries(database, events)), ...(await revaluations(database, events))];
  if (events.length === PAGE_SIZE && last !== undefined) return { items, next: `${last.at}/${last.id}` };
  return { items, next: end[0] === undefined || end[0].last ? null : `${end[0].at}/${FIRST}` };
}

const STEP_END = `least(:at::timestamptz + interval '${TIME_STEP}', :until::timestamptz)`;
const END = `select ${STEP_END}::text as at, ${STEP_END} >= :until::timestamptz as last`;
const EVENTS = `
  select o.id, o.tenant_id as "tenantId", o.event, o.entity_type as "entityType", o.entity_id as "entityId", d.code as "documentCode",
    o.payload ->> 'title' as title, o.payload ->> 'webhook_id' as "webhookId", o.created_at::text as at
  from outbox o
  left join documents d on d.id = case when o.payload ->> 'document_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (o.payload ->> 'document_id')::uuid end
  where o.created_at >= :at::timestamptz and o.created_at < ${STEP_END} and (o.created_at, o.id) > (:at::timestamptz, :id::uuid)
    and o.processed_at is not null and not o.test
  order by o.created_at, o.id limit ${PAGE_SIZE}`;

async function deliveries(database: Database, events: readonly PastEvent[]): Promise<ExpectedWork[]> {
  const wanted = await database.withSystem((trx) => interestedWebhooks(trx, events));
  const byId = new Map(events.map((event) => [event.id, event]));
  const pairs = [...wanted].flatMap(([eventId, webhooks]) =>
    webhooks
      .filter(({ filterError }) => filterError === null)
      .map(({ webhookId, event, name }): Pair => {
        const { tenantId, entityType, entityId, documentCode } = byId.get(eventId) as PastEvent;
        const about = { title: deliveryTitle(event, documentCode, name), documentCode, entityType, entityId };
        return { tenantId, webhookId, eventId, redeliveryId: null, about };
      }),
  );
  const again = events.flatMap(({ event, tenantId, id, entityId, webhookId, title, documentCode }): Pair[] =>
    event === REDELIVERY_DUE && webhookId !== null
      ? [{ tenantId, webhookId, eventId: entityId, redeliveryId: id, about: { title, documentCode } }]
      : [],
  );
  const unended = await findUnendedPairs(database, [...pairs, ...again]);
  return unended.map((pair) => ({ kind: pair.redeliveryId === null ? 'deliveries' : 'redeliveries', ...pair }));
}

async function revaluations(database: Database, events: readonly PastEvent[]): Promise<ExpectedWork[]> {
  const due = events.filter(({ event }) => event === STOCK_REVALUATION_DUE);
  if (due.length === 0) return [];
  const done = await database.withSystem((trx) =>
    query<{ id: string }>(
      trx,
      `select w.id from json_to_recordset(:due::json) as w (tenant_id uuid, item_id uuid, id text)
       where exists (select from outbox o where o.tenant_id = w.tenant_id and o.entity_id = w.item_id and o.event = '${STOCK_REVALUED}'
         and o.payload ->> 'due' = w.id)`,
      { due: JSON.stringify(due.map((one) => ({ tenant_id: one.tenantId, item_id: one.entityId, id: one.id }))) },
    ),
  );
  const ended = new Set(done.map(({ id }) => id));
  return due
    .filter(({ id }) => !ended.has(id))
    .map(({ tenantId, id, entityId }) => ({ kind: 'revaluations', tenantId, eventId: id, itemId: entityId }));
}
