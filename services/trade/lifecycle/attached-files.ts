/** Files that are attached to a document and sent with it. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';

const FILES = `select a.id, a.in_store as "inStore", f.id as "fileId" from attachments a
  left join files f on f.kind = 'attachment' and f.entity_id = a.id
  where a.entity_id = :documentId::uuid and a.id = any(:ids::uuid[])`;

/**
 * Finds the files of attachments, in their order.
 * @throws ServiceError validation_failed (`/attachments/…`) for one that is not attached to the document, or is in an object store
 */
export async function attachedFiles(
  trx: Db,
  documentId: string,
  ids: readonly string[],
): Promise<readonly { readonly fileId: string }[]> {
  if (ids.length === 0) return [];
  const rows = await prepared<{ id: string; inStore: boolean; fileId: string | null }>(trx, FILES, {
    documentId,
    ids: [...ids],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  const faults = new Faults();
  const files = ids.flatMap((id, index) => {
    const file = found.get(id);
    const at = `/attachments/${index}`;
    if (file === undefined) faults.add(at, 'invalid_reference', 'must be a file that is attached to the document');
    else if (file.inStore || file.fileId === null) {
      faults.add(at, 'not_applicable', 'cannot be sent because its content is in an object store; send a link to it');
    } else return [{ fileId: file.fileId }];
    return [];
  });
  faults.throwIfAny();
  return files;
}
