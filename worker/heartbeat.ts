/** Writes a worker's heartbeat to the database, so that /health can show which queues have workers. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { countLiveWorkers } from '../services/operation/metrics/metrics.ts';
import { addCounts } from '../services/platform/counters/work-counts.ts';
import { Counts } from './counts.ts';

const INTERVAL_MS = 10_000;

export class Heartbeat {
  readonly #database: Database;
  readonly #queues: readonly string[];
  readonly #logger: Logger;
  readonly #counted: (workers: ReadonlyMap<string, number>) => void;
  readonly #id = newId();
  readonly #startedAt = new Date();
  readonly #counts: Counts;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param counts counts of the worker, reported with the heartbeats
   * @param counted called after each with the number of workers on each queue
   */
  constructor(
    database: Database,
    queues: readonly string[],
    logger: Logger,
    counts: Counts = new Counts(),
    counted: (workers: ReadonlyMap<string, number>) => void = () => undefined,
  ) {
    this.#counts = counts;
    this.#counted = counted;
    this.#database = database;
    this.#queues = queues;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), INTERVAL_MS);
  }

  /** Removes the row, so that this worker no longer counts. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#write((trx) => trx.raw('delete from workers where id = ?', [this.#id]));
    await this.#tellCounts();
  }

  async #beat(): Promise<void> {
    await this.#tellCounts();
    await this.#write(async (trx) => {
      await trx.raw(
        `insert into workers (id, host, queues, started_at, seen_at) values (?, ?, ?, ?, clock_timestamp())
         on conflict (id) do update set seen_at = clock_timestamp()`,
        [this.#id, hostname(), this.#queues as string[], this.#startedAt.toISOString()],
      );
      // Removes rows of workers that were killed.
      await trx.raw(`delete from workers where seen_at < clock_timestamp() - interval '1 hour'`);
      const workers = await countLiveWorkers(trx);
      this.#counted(new Map(workers.map((one) => [one.queue, one.workers])));
    });
  }

  async #tellCounts(): Promise<void> {
    try {
      await this.#counts.report((counts) => this.#database.withSystem((trx) => addCounts(trx, counts)));
    } catch (error) {
      this.#logger.warn({ error: String(error) }, 'The counts could not be written; the next heartbeat tries again');
    }
  }

  async #write(work: Parameters<Database['withSystem']>[0]): Promise<void> {
    try {
      await this.#database.withSystem(work);
    } catch (error) {
      this.#logger.warn({ error: String(error) }, 'The heartbeat could not be written');
    }
  }
}
