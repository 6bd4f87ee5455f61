/** Holds what events that nobody had handed over yet would lead to: deliveries, and runs of automations. */
import pMap from 'p-map';
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { enterCancelled } from '../../integrations/automations/begin-runs.ts';
import { findTriggeredRules } from '../../integrations/automations/interest.ts';
import { findMatches } from '../../integrations/automations/match.ts';
import { interestedWebhooks, wanting } from '../../platform/outbox/interest.ts';
import { type Doubtful, enterHeld } from './deliveries.ts';
import { type Count, heldReason, type Restored, restoreContext } from './restored.ts';

interface WaitingEvent {
  readonly id: string;
  readonly seq: string;
  readonly tenantId: string;
  readonly event: string;
}

const PAGE_SIZE = 200;
const WAITING = `
  select id, seq::text as seq, tenant_id as "tenantId", event from outbox
  where processed_at is null and dead_at is null and not test and seq > :after::bigint
    and (:only::uuid is null or tenant_id = :only::uuid) order by seq limit ${PAGE_SIZE}`;

/** Enters the deliveries and runs to which events lead that wait in the outbox. The rest of what follows from them stays inside. */
export async function holdEvents(database: Database, restored: Restored, count: Count): Promise<void> {
  for (let after = '0'; ; ) {
    const { events, wanted, triggered } = await database.withSystem(async (trx) => {
      const page = await query<WaitingEvent>(trx, WAITING, { after, only: restored.only ?? null });
      return {
        events: page,
        wanted: await interestedWebhooks(trx, page),
        triggered: await findTriggeredRules(trx, page),
      };
    });
    const tenants = new Map(events.map(({ id, tenantId }) => [id, tenantId]));
    const deliveries = [...wanted].flatMap(([eventId, webhooks]) =>
      wanting(webhooks).map(({ webhookId }): Doubtful => {
        return { tenantId: tenants.get(eventId) as string, webhookId, eventId, redeliveryId: null };
      }),
    );
    await enterHeld(database, deliveries, restored, count);
    const reason = heldReason(restored);
    const companies = new Set(triggered.map(({ eventId }) => tenants.get(eventId) as string));
    await pMap(
      [...companies],
      async (tenantId) => {
        const ctx = restoreContext(tenantId, restored.now);
        const theirs = triggered.filter(({ eventId }) => tenants.get(eventId) === tenantId);
        const matches = await database.readTenant(ctx, (db) => findMatches(db, theirs, ctx.now));
        const runs = await database.withTenant(ctx, (trx) => enterCancelled(trx, ctx, matches, reason.en));
        count(tenantId, { runs });
      },
      { concurrency: 4 },
    );
    const last = events.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
