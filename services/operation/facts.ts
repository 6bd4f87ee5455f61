/** What operators monitor across companies, read at once: numbers by kind and state, nothing about any single company. */
import type { Database, Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { type Count, type GaugedName, readCounts } from '../counts/work-counts.ts';
import { countDeadEvents } from '../outbox/dead.ts';
import { type PruningFacts, pruningFacts } from '../pruning/prune.ts';

export interface OperationFacts {
  /** Age of the oldest waiting event, by name. */
  readonly lag: readonly { readonly event: string; readonly seconds: number }[];
  /** Events that were set aside because they could not be handed over. */
  readonly dead: number;
  readonly tasks: readonly { readonly type: string; readonly status: string; readonly tasks: number }[];
  /** Workers with a recent heartbeat. */
  readonly workers: readonly { readonly queue: string; readonly workers: number }[];
  readonly counts: readonly Count[];
  readonly gauges: readonly Count<GaugedName>[];
  readonly prunings: readonly PruningFacts[];
}

/** How many waiting events are grouped by name, oldest first. */
const MAX_GROUPED = 10_000;

export async function operationFacts(database: Database): Promise<OperationFacts> {
  return database.withSystem(async (trx) => ({
    lag: await query(
      trx,
      `select event, extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
       from (select event, created_at from outbox where processed_at is null and dead_at is null order by seq limit ${MAX_GROUPED}) waiting
       group by event`,
      {},
    ),
    dead: await countDeadEvents(trx),
    tasks: await query(trx, 'select kind as type, status, count(*)::int as tasks from tasks group by kind, status', {}),
    workers: await aliveWorkers(trx),
    ...(await readCounts(trx)),
    prunings: await pruningFacts(trx),
  }));
}

/** How many workers work on each queue. */
export async function aliveWorkers(trx: Db): Promise<{ readonly queue: string; readonly workers: number }[]> {
  return query(
    trx,
    `select queue, count(*)::int as workers from workers, unnest(queues) as queue
     where seen_at > clock_timestamp() - interval '30 seconds' group by queue`,
    {},
  );
}
