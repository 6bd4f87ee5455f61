/** Figures that operators monitor, across all companies: counts by kind and state, nothing about a single company. */
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type Count, type GaugedName, readCounts } from '../../platform/counters/work-counts.ts';
import { countDeadEvents } from '../../platform/outbox/dead.ts';
import { type PruningStatus, readPruningStatus } from '../pruning/prune.ts';

export interface OperationalMetrics {
  /** Age of the oldest waiting event, per event name. */
  readonly lag: readonly { readonly event: string; readonly seconds: number }[];
  /** Events that were set aside because they could not be handed over. */
  readonly dead: number;
  readonly tasks: readonly { readonly type: string; readonly status: string; readonly tasks: number }[];
  /** Workers with a recent heartbeat. */
  readonly workers: readonly { readonly queue: string; readonly workers: number }[];
  readonly counts: readonly Count[];
  readonly gauges: readonly Count<GaugedName>[];
  readonly prunings: readonly PruningStatus[];
  /** Records of invoices that wait to be sent to the tax agency, by what keeps them; empty for nothing. */
  readonly records: readonly { readonly problem: string; readonly records: number; readonly chains: number }[];
  /** Invoices to public bodies about which something is still to be done. */
  readonly submissions: readonly { readonly status: string; readonly submissions: number; readonly failing: number }[];
}

/** Maximum waiting events that are grouped by name, oldest first. */
const MAX_GROUPED = 10_000;

/** Reads all figures in one transaction. */
export async function readMetrics(database: Database): Promise<OperationalMetrics> {
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
    workers: await countLiveWorkers(trx),
    ...(await readCounts(trx)),
    prunings: await readPruningStatus(trx),
    records: await query(
      trx,
      `select coalesce(problem->>'code', '') as problem, sum(seq - sent_seq)::int as records, count(*)::int as chains
       from verifactu_chains where seq > sent_seq group by 1`,
      {},
    ),
    submissions: await query(
      trx,
      `select status, count(*)::int as submissions, (count(*) filter (where failures > 0))::int as failing
       from face_submissions where next_at is not null group by 1`,
      {},
    ),
  }));
}

/** Counts the live workers of each queue. */
export async function countLiveWorkers(trx: Db): Promise<{ readonly queue: string; readonly workers: number }[]> {
  return query(
    trx,
    `select queue, count(*)::int as workers from workers, unnest(queues) as queue
     where seen_at > clock_timestamp() - interval '30 seconds' group by queue`,
    {},
  );
}
