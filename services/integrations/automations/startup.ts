/** Runs rules triggered by a start of the service, which is one start even with several processes (decision 0199). */

import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { query } from '../../../db/sql.ts';
import type { RunToStart } from '../../../workflows/integrations/automations/contract.ts';
import { beginRuns, type Cause } from './begin-runs.ts';
import { matchRules, rightsAt } from './match.ts';

/** Time from which a worker's heartbeat counts as alive. */
const ALIVE = `clock_timestamp() - interval '30 seconds'`;
/** Companies per query. */
const PAGE_SIZE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface ServiceStart {
  readonly id: string;
  readonly startedAt: string;
}

const NOTE_SQL = `insert into service_starts (id)
  select :id where :isGiven::boolean or not (exists (select from workers where seen_at > ${ALIVE})
    or exists (select from service_starts where started_at > ${ALIVE}))
  on conflict do nothing`;

/**
 * Records that this process has started, before its first heartbeat.
 * @param id of the start of the service; without one, the service has started if no other worker is alive
 */
export async function recordStart(database: Database, id: string | undefined): Promise<void> {
  await database.withSystem(async (trx) => {
    await lockName(trx, 'service_starts');
    await query(trx, NOTE_SQL, { id: id ?? newId(), isGiven: id !== undefined });
    await trx.raw(`delete from service_starts where started_at < clock_timestamp() - interval '30 days'`);
  });
}

/**
 * Begins and starts the runs for starts of the service within the last hour. A retry finds the runs already begun.
 * @param startRun starts the workflow of a run, once
 */
export async function runStartupRules(
  database: Database,
  now: () => Date,
  startRun: (run: RunToStart) => Promise<void>,
): Promise<void> {
  const starts = await database.withSystem((trx) => query<ServiceStart>(trx, UNHANDLED_SQL, {}));
  for (const start of starts) {
    for await (const tenantId of companiesWaiting(database)) {
      const ctx: Context = { tenantId, userId: null, actor: 'automations', requestId: newId(), now: now() };
      for (const run of await beginAtStart(database, ctx, start)) await startRun(run);
    }
    await database.withSystem((trx) => query(trx, HANDLED_SQL, { id: start.id }));
  }
}

const UNHANDLED_SQL = `select id, started_at as "startedAt" from service_starts
  where told_at is null and started_at > clock_timestamp() - interval '1 hour' order by started_at`;
const HANDLED_SQL = 'update service_starts set told_at = clock_timestamp() where id = :id';
const WAITS = `status = 'active' and trigger ->> 'type' = 'system.startup'`;
const COMPANIES_SQL = `select distinct tenant_id as id from automations where ${WAITS} and tenant_id > :after::uuid
  order by tenant_id limit ${PAGE_SIZE}`;

async function* companiesWaiting(database: Database): AsyncGenerator<string> {
  let after = FIRST;
  for (;;) {
    const page = await database.withSystem((trx) => query<{ id: string }>(trx, COMPANIES_SQL, { after }));
    yield* page.map(({ id }) => id);
    const last = page.at(-1);
    if (page.length < PAGE_SIZE || last === undefined) return;
    after = last.id;
  }
}

async function beginAtStart(database: Database, ctx: Context, { id, startedAt }: ServiceStart): Promise<RunToStart[]> {
  const cause: Cause = {
    key: `start/${id}`,
    eventId: null,
    documentId: null,
    paymentId: null,
    event: { name: 'system.startup', timestamp: startedAt },
    depth: 0,
  };
  const matches = await database.readTenant(ctx, async (db) => {
    const waiting = (await Automation.query(db).whereRaw(WAITS)) as Automation[];
    return await matchRules(db, cause, waiting, rightsAt(db, ctx.now), ctx.now);
  });
  return await database.withTenant(ctx, (trx) => beginRuns(trx, ctx, matches));
}
