/** Dead events: set aside after repeated failures of their own. They stay in the outbox. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

export interface DeadEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly deadAt: string;
  readonly error: string;
}

/** Counts all dead events. @param trx a system transaction */
export async function countDeadEvents(trx: Db): Promise<number> {
  const [row] = await query<{ n: number }>(trx, 'select count(*)::int as n from outbox where dead_at is not null', {});
  return row?.n ?? 0;
}

/** Lists the oldest dead events. @param trx a system transaction */
export async function listDeadEvents(trx: Db, limit: number): Promise<DeadEvent[]> {
  return query<DeadEvent>(
    trx,
    `select id, tenant_id as "tenantId", event, entity_type as "entityType", entity_id as "entityId", dead_at as "deadAt",
       last_error as error
     from outbox where dead_at is not null order by seq limit :limit`,
    { limit },
  );
}

/** A company's dead events. */
export interface CompanyDeadEvents {
  readonly tenantId: string;
  readonly events: number;
  /** Time at which the newest was set aside, and its name. */
  readonly newestAt: string;
  readonly newest: string;
}

/** Lists the companies with dead events. @param trx a system transaction */
export async function deadByCompany(trx: Db): Promise<CompanyDeadEvents[]> {
  return query<CompanyDeadEvents>(
    trx,
    `select tenant_id as "tenantId", count(*)::int as events, max(dead_at) as "newestAt",
       (array_agg(event order by dead_at desc, seq desc))[1] as newest
     from outbox where dead_at is not null group by tenant_id order by tenant_id`,
    {},
  );
}

/**
 * Returns dead events to the queue, with all their tries.
 * @param trx a system transaction
 * @param ids null for all
 * @returns the number of events that will be tried again
 */
export async function repeatDeadEvents(trx: Db, ids: readonly string[] | null): Promise<number> {
  const rows = await query<{ id: string }>(
    trx,
    `update outbox set dead_at = null, refusals = 0, locked_until = null
     where dead_at is not null and (:ids::uuid[] is null or id = any(:ids::uuid[]))
     returning id`,
    { ids: ids === null ? null : [...ids] },
  );
  return rows.length;
}
