/** Rules that wait for a start of the service, which is one start however many processes it has (decision 0199). */
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Automation } from '../../db/models/automations.ts';
import { query } from '../../db/sql.ts';
import type { RunToStart } from '../../workflows/automations/contract.ts';
import { matching } from './match.ts';
import { beginRuns, type Cause } from './runs.ts';

/** How long a worker's sign of life counts. */
const ALIVE = `clock_timestamp() - interval '30 seconds'`;
/** Companies looked up at once. */
const PAGE = 500;
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
 * Notes that this process has started, before its first sign of life.
 * @param id of the start of the service; without one, it has started if no other worker is alive
 */
export async function noteStart(database: Database, id: string | undefined): Promise<void> {
  await database.withSystem(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended('service_starts', 0))`);
    await query(trx, NOTE_SQL, { id: id ?? newId(), isGiven: id !== undefined });
    await trx.raw(`delete from service_starts where started_at < clock_timestamp() - interval '30 days'`);
  });
}

/**
 * Begins the runs that wait for starts of the last hour, and starts them. A repetition finds what was begun.
 * @param startRun starts the workflow of a run, once
 */
export async function runStartupRules(
  database: Database,
  now: () => Date,
  startRun: (run: RunToStart) => Promise<void>,
): Promise<void> {
  const starts = await database.withSystem((trx) => query<ServiceStart>(trx, UNTOLD_SQL, {}));
  for (const start of starts) {
    for await (const tenantId of companiesWaiting(database)) {
      const ctx: Context = { tenantId, userId: null, actor: 'automations', requestId: newId(), now: now() };
      for (const run of await beginAtStart(database, ctx, start)) await startRun(run);
    }
    await database.withSystem((trx) => query(trx, TOLD_SQL, { id: start.id }));
  }
}

const UNTOLD_SQL = `select id, started_at as "startedAt" from service_starts
  where told_at is null and started_at > clock_timestamp() - interval '1 hour' order by started_at`;
const TOLD_SQL = 'update service_starts set told_at = clock_timestamp() where id = :id';
const WAITS = `status = 'active' and trigger ->> 'type' = 'system.startup'`;
const COMPANIES_SQL = `select distinct tenant_id as id from automations where ${WAITS} and tenant_id > :after::uuid
  order by tenant_id limit ${PAGE}`;

async function* companiesWaiting(database: Database): AsyncGenerator<string> {
  let after = FIRST;
  for (;;) {
    const page = await database.withSystem((trx) => query<{ id: string }>(trx, COMPANIES_SQL, { after }));
    yield* page.map(({ id }) => id);
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
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
    return await matching(db, cause, (await Automation.query(db).whereRaw(WAITS)) as Automation[]);
  });
  return await database.withTenant(ctx, (trx) => beginRuns(trx, ctx, matches));
}
