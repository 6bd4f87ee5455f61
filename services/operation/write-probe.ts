/** Whether the database takes changes: a server that stands by for another one, or whose disk is full, still answers every question. */
import type { Database } from '../../db/database.ts';

/** However often somebody asks, so often it is tried. */
const TRIED_EACH_MS = 1000;
/** A server that cannot do it in this time cannot serve. */
const PATIENCE = '3s';
/** Rows that are sorted beyond the memory allowed for it, some hundred KiB: PostgreSQL needs room on its disk for them, and gives it back. */
const SORTED = 4000;

export class WriteProbe {
  readonly #database: Database;
  #last: { readonly at: number; readonly writes: Promise<boolean> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param at the present moment by `performance.now()` */
  canWrite(at: number = performance.now()): Promise<boolean> {
    if (this.#last === null || at - this.#last.at >= TRIED_EACH_MS) this.#last = { at, writes: this.#try() };
    return this.#last.writes;
  }

  /** The row that is changed is always the same; who finds another process at it has nothing to add. */
  async #try(): Promise<boolean> {
    try {
      await this.#database.withSystem(async (trx) => {
        await trx.raw(`set local statement_timeout = '${PATIENCE}'; set local work_mem = '64kB'`);
        await trx.raw(
          `with free as (select id from write_probe for update skip locked)
           update write_probe p set tried_at = clock_timestamp() from free where p.id = free.id`,
        );
        await trx.raw(
          `select count(*) from (select n from generate_series(1, ${SORTED}) n order by md5(n::text) offset 0) sorted`,
        );
      });
      return true;
    } catch {
      return false; // the answer of a health check, which is what the caller asked for
    }
  }
}
