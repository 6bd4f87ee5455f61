/** Checks whether the database accepts writes: a standby server, or one with a full disk, still answers queries. */
import type { Database } from '../../../db/database.ts';

/** Minimum interval between probes, regardless of the number of callers. */
const PROBE_INTERVAL_MS = 1000;
/** A server that needs longer counts as down. */
const TIMEOUT = '3s';
/** Enough rows to exceed the allowed sort memory, so that PostgreSQL needs temporary disk space, which it releases at once. */
const SORTED_ROWS = 4000;

export class WriteProbe {
  readonly #database: Database;
  #last: { readonly at: number; readonly writes: Promise<boolean> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether a write succeeds. @param at the current time by `performance.now()` */
  canWrite(at: number = performance.now()): Promise<boolean> {
    if (this.#last === null || at - this.#last.at >= PROBE_INTERVAL_MS) this.#last = { at, writes: this.#try() };
    return this.#last.writes;
  }

  /** Updates a row that all probes share; skips it if another probe holds its lock. */
  async #try(): Promise<boolean> {
    try {
      await this.#database.withSystem(async (trx) => {
        await trx.raw(`set local statement_timeout = '${TIMEOUT}'; set local work_mem = '64kB'`);
        await trx.raw(
          `with free as (select id from write_probe for update skip locked)
           update write_probe p set tried_at = clock_timestamp() from free where p.id = free.id`,
        );
        await trx.raw(
          `select count(*) from (select n from generate_series(1, ${SORTED_ROWS}) n order by md5(n::text) offset 0) sorted`,
        );
      }, false);
      return true;
    } catch {
      return false; // The health check wants a boolean, not an error.
    }
  }
}
