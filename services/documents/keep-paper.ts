/** The PDF of a document of which nothing changes that is printed. */
import type { Changes } from '../../db/changes/changes.ts';
import { query } from '../../db/sql.ts';
import type { DocumentRow } from './stored.ts';

/** The PDF that was made of the version before is still the document's. */
export function keepPaper(changes: Changes, { id, version }: DocumentRow): void {
  changes.afterwards(async (trx) => {
    await query(
      trx,
      `update files set entity_version = entity_version + 1
       where kind = 'document_pdf' and entity_id = :id and entity_version = :version`,
      { id, version },
    );
  });
}
