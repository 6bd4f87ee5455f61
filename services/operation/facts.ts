/** What operators watch of all companies together, read at once: numbers by kinds and states, nothing of any company. */
import type { Database, Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { type Count, type GaugedName, readCounts } from '../counts/work-counts.ts';
import { countDeadEvents } from '../outbox/dead.ts';
import { type PruningFacts, pruningFacts } from '../pruning/prune.ts';

export interface OperationFacts {
  /** Age of the oldest event that waits, by its name. */
  readonly lag: readonly { readonly event: string; readonly seconds: number }[];
  /** Events that were set aside because they cannot be handed over. */
  readonly dead: number;
  readonly tasks: readonly { readonly type: string; readonly status: string; readonly tasks: number }[];
  /** Workers that have given a sign of life lately. */
  readonly workers: readonly { readonly queue: string; readonly workers: number }[];
  readonly counts: readonly Count[];
  readonly gauges: readonly Count<GaugedName>[];
  readonly prunings: readonly PruningFacts[];
}

/** Of so many events that wait the names are looked at, the oldest first. */
const LOOKED_AT = 10_000;

export async function operationFacts(database: Database): Promise<OperationFacts> {
  return database.withSystem(async (trx) => ({
    lag: await query(
      trx,
      `select event, extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
       from (select event, created_at from outbox where processed_at is null and dead_at is null order by seq limit ${LOOKED_AT}) waiting
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
