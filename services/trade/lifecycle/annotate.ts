/** Changes custom fields, notes, tags and the pause of reminders of a document in any state; they are neither printed nor booked. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { keepDocumentPdf } from '../../platform/files/files.ts';
import { documentEvent } from '../documents/events.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument } from '../documents/write.ts';

/** Members that can be changed in every state, besides custom fields. */
export const ANNOTATIONS = ['internalNotes', 'tags', 'dunningPaused'] as const;

/**
 * Writes the members; this needs no open period.
 * @param keepsPaper whether nothing printed changes
 * @throws ConcurrentChange
 */
export async function writeAnnotations(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  next: LoadedDocument,
  { fields, keepsPaper }: { readonly fields: readonly string[]; readonly keepsPaper: boolean },
): Promise<DocumentAnswer> {
  const changes = new Changes(ctx);
  const shown = changeDocument(changes, document, next, documentEvent('document.updated', next.row, { fields }));
  if (keepsPaper) changes.follow(keepDocumentPdf, { documentId: document.row.id, version: document.row.version });
  await changes.write(trx);
  return documentAnswer(next, shown);
}
