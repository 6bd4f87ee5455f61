/** Whether the database accepts writes: a standby server, or one with a full disk, still answers every query. */
import type { Database } from '../../db/database.ts';

/** The probe runs at most this often, however many ask. */
const PROBE_INTERVAL_MS = 1000;
/** A server that needs longer cannot serve. */
const TIMEOUT = '3s';
/** Rows sorted beyond the allowed memory of some hundred KiB: PostgreSQL needs temporary disk space for them, and releases it. */
const SORTED_ROWS = 4000;

export class WriteProbe {
  readonly #database: Database;
  #last: { readonly at: number; readonly writes: Promise<boolean> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param at the current time by `performance.now()` */
  canWrite(at: number = performance.now()): Promise<boolean> {
    if (this.#last === null || at - this.#last.at >= PROBE_INTERVAL_MS) this.#last = { at, writes: this.#try() };
    return this.#last.writes;
  }

  /** All probes update the same row; one that finds it locked by another has nothing to do. */
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
      });
      return true;
    } catch {
      return false; // The health check wants a boolean, not an error.
    }
  }
}
