/** Deletes data past its retention in small batches, which block nobody. */
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Db } from '../../../db/database.ts';
import { idAt } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { addCounts } from '../../platform/counters/work-counts.ts';
import type { ObjectStore } from '../../platform/files/objects/object-store.ts';
import { removeObjects } from '../../records/attachments/objects.ts';
import { type Keep, KINDS, type Kind, type PrunedKind, type Rows } from './kinds.ts';

/** Rows per transaction, and its maximum wait for a locked row. */
const BATCH_SIZE = 1000;
const LOCK_TIMEOUT = '3s';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface Batch {
  readonly deleted: number;
  /** Position of the next batch; null if nothing is left. */
  readonly after: string | null;
}

export interface PruneDeps {
  readonly database: Database;
  readonly keep: Keep;
  readonly dataDir: string;
  /** Object store of attachments; null if they are in the database. */
  readonly store: ObjectStore | null;
}

/**
 * Deletes a batch of one kind.
 * @param now time at which the run began
 * @param after the result of the previous batch; null at the start
 */
export async function pruneBatch(
  { database, keep, dataDir, store }: PruneDeps,
  kind: PrunedKind,
  { now, after, limit = BATCH_SIZE }: { now: Date; after: string | null; limit?: number },
): Promise<Batch> {
  const what: Kind = KINDS[kind];
  const cutoff = new Date(now.getTime() - what.keeps(keep));
  if ('sql' in what) return pruneRows(database, kind, what, { cutoff, after, limit });
  const deleted =
    'folder' in what
      ? await deleteOldFiles(join(dataDir, what.folder), cutoff, limit)
      : await removeObjects(database, store, { now, limit });
  await database.withSystem((trx) => countDeleted(trx, kind, deleted));
  return { deleted, after: deleted < limit ? null : FIRST_ID };
}

async function pruneRows(
  database: Database,
  kind: PrunedKind,
  { sql }: Rows,
  { cutoff, after, limit }: { cutoff: Date; after: string | null; limit: number },
): Promise<Batch> {
  return database.withSystem(async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    if (after === null) {
      await query(
        trx,
        `insert into prunings as p (kind, kept_since) values (:kind, :cutoff::timestamptz)
         on conflict (kind) do update set kept_since = greatest(p.kept_since, excluded.kept_since)`,
        { kind, cutoff: cutoff.toISOString() },
      );
    }
    const [done] = await query<{ looked: number; deleted: number; last: string | null }>(trx, sql, {
      cutoff: cutoff.toISOString(),
      before: idAt(cutoff),
      after: after ?? FIRST_ID,
      limit,
    });
    const { looked, deleted, last } = done ?? { looked: 0, deleted: 0, last: null };
    await countDeleted(trx, kind, deleted);
    return { deleted, after: looked < limit ? null : (last ?? FIRST_ID) };
  });
}

async function countDeleted(trx: Db, kind: PrunedKind, value: number): Promise<void> {
  if (value > 0) await addCounts(trx, [{ name: 'maintenance_deleted_total', labels: { kind }, value }]);
}

/** Records the end of a kind's run. @param error the reason of a failure; null on success */
export async function recordPruning(
  database: Database,
  kind: PrunedKind,
  now: Date,
  error: string | null,
): Promise<void> {
  await database.withSystem((trx) =>
    query(
      trx,
      `insert into prunings (kind, done_at, error) values (:kind, case when :error::text is null then :now::timestamptz end, :error)
       on conflict (kind) do update set done_at = coalesce(excluded.done_at, prunings.done_at), error = excluded.error`,
      { kind, now: now.toISOString(), error },
    ),
  );
}

/** Time at which a kind was last pruned completely, and whether it has failed since. */
export interface PruningStatus {
  readonly kind: string;
  /** Unix seconds; null before the first run. */
  readonly doneAt: number | null;
  readonly failing: boolean;
}

/** Reads the status of each kind. */
export async function readPruningStatus(trx: Db): Promise<PruningStatus[]> {
  return query(
    trx,
    `select kind, extract(epoch from done_at)::float8 as "doneAt", error is not null as failing from prunings`,
    {},
  );
}

/** Deletes up to `limit` files of a folder that were last written before a given time. @returns the number deleted */
async function deleteOldFiles(folder: string, before: Date, limit: number): Promise<number> {
  let deleted = 0;
  for await (const path of listFiles(folder)) {
    if (deleted === limit) break;
    if ((await stat(path)).mtime >= before) continue;
    await rm(path);
    deleted++;
  }
  return deleted;
}

/** Yields the files of a folder; none if it does not exist. */
async function* listFiles(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) if (entry.isFile()) yield join(folder, entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
