/** Documents that payments settle are locked first, and in one order, so that of two payments the second sees what the first has left. */
import type { Db } from '../../db/database.ts';
import { STATE } from '../../db/queries/document-states.ts';
import { prepared } from '../../db/sql.ts';
import { loadDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';

/** Locks documents in the order of their ids. */
async function lockRows(trx: Db, ids: readonly string[]): Promise<void> {
  await prepared(trx, 'select id from documents where id = any(:ids::uuid[]) order by id for update', {
    ids: [...ids],
  });
}

/** Locks documents in the order of their ids, as everybody does, and reads them as they are then. */
export async function lockDocuments(trx: Db, ids: readonly string[]): Promise<Map<string, LoadedDocument>> {
  if (ids.length === 0) return new Map();
  await lockRows(trx, ids);
  return new Map((await loadDocuments(trx, ids)).map((document) => [document.row.id, document]));
}

/** The same for those of which something is outstanding once they are free: who comes too late for one does not keep others waiting. */
export async function lockOpen(trx: Db, ids: readonly string[]): Promise<Map<string, LoadedDocument>> {
  if (ids.length === 0) return new Map();
  const open = await prepared<{ id: string }>(
    trx,
    `select id from documents where id = any(:ids::uuid[]) and status = ${STATE.open} and total <> paid_total order by id for update`,
    { ids: [...ids] },
  );
  const documents = await loadDocuments(
    trx,
    open.map(({ id }) => id),
  );
  return new Map(documents.map((document) => [document.row.id, document]));
}
