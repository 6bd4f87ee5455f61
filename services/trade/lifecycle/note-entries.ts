/** Keeps the entries of notes up to date (decision 0156). */
import type { Changes } from '../../../db/changes/changes.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { keepNoteEntries } from '../../ledger/accounting/pending/keep.ts';
import type { EntryDay } from '../../ledger/accounting/write-entry.ts';
import type { StoredDocument } from '../documents/stored.ts';

/**
 * Updates, after the change, the entry of the note that the document is, or of those it is based on.
 * @param begins whether the document is a new note, with an entry to make
 */
export function updateNoteEntries(
  changes: Changes,
  { row, lines }: Pick<StoredDocument, 'row' | 'lines'>,
  on: EntryDay,
  begins = false,
): void {
  const isNote = DOCUMENT_TYPES[row.docType].kind === 'delivery_note' && row.returns === null;
  const noteLines = lines.flatMap(({ id, baseLineId }) => (isNote ? id : (baseLineId ?? [])));
  changes.follow(keepNoteEntries, { lines: noteLines, on, begins });
}
