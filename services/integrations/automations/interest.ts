/** Finds the rules that an event may trigger. An event that triggers none costs nothing more than the query for webhooks. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type EventTrigger, isTriggered, triggerTypes } from '../../../domain/integrations/automations/triggers.ts';
import type { ClaimedEvent } from '../../platform/outbox/claim.ts';

type Happened = Pick<ClaimedEvent, 'id' | 'tenantId' | 'event'>;

/** An event with the rules whose triggers it fires; their conditions are not checked yet. */
export interface Triggering {
  readonly eventId: string;
  readonly event: string;
  readonly createdAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Number of rule runs in the chain that led to it. */
  readonly depth: number;
  readonly rules: readonly TriggeredRule[];
}

export interface TriggeredRule {
  readonly automationId: string;
  readonly trigger: EventTrigger;
}

interface ActiveRule extends TriggeredRule {
  readonly tenantId: string;
}

/**
 * Selects the events that trigger rules of their companies, in order.
 * @param trx a system transaction
 */
export async function findTriggeredRules(trx: Db, events: readonly Happened[]): Promise<Triggering[]> {
  const heard = events.filter(({ event }) => triggerTypes(event).length > 0);
  if (heard.length === 0) return [];
  const rules = groupBy(await activeRules(trx, heard), ({ tenantId }) => tenantId);
  const concerned = heard.filter(({ tenantId, event }) =>
    rules.get(tenantId)?.some(({ trigger }) => triggerTypes(event).includes(trigger.type)),
  );
  if (concerned.length === 0) return [];
  const happened = new Map((await loadEvents(trx, concerned)).map((one) => [one.eventId, one]));
  return concerned.flatMap(({ id, tenantId, event }) => {
    const one = happened.get(id);
    if (one === undefined) return [];
    const types = triggerTypes(event);
    const fitting = (rules.get(tenantId) ?? []).filter(
      ({ trigger }) => types.includes(trigger.type) && isTriggered(trigger, one.payload),
    );
    return fitting.length === 0 ? [] : [{ ...one, rules: fitting }];
  });
}

async function activeRules(trx: Db, events: readonly Happened[]): Promise<ActiveRule[]> {
  const tenants = [...groupBy(events, ({ tenantId }) => tenantId)].map(([tenantId, those]) => {
    return { tenant_id: tenantId, types: [...new Set(those.flatMap(({ event }) => triggerTypes(event)))] };
  });
  return await prepared<ActiveRule>(
    trx,
    `select a.id as "automationId", a.tenant_id as "tenantId", a.trigger
     from json_to_recordset(:tenants::json) as t (tenant_id uuid, types text[])
     join automations a on a.tenant_id = t.tenant_id and a.status = 'active' and a.trigger ->> 'type' = any(t.types)
     order by a.id`,
    { tenants: JSON.stringify(tenants) },
  );
}

async function loadEvents(trx: Db, events: readonly Happened[]): Promise<Omit<Triggering, 'rules'>[]> {
  return await prepared(
    trx,
    `select id as "eventId", event, created_at as "createdAt", payload, depth from outbox where id = any(:ids::uuid[])`,
    { ids: events.map(({ id }) => id) },
  );
}
