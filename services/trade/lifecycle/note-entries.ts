/** Keeps the entries of notes in line with what happens to them (decision 0156). */
import type { Changes } from '../../../db/changes/changes.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { keepNoteEntries } from '../../ledger/accounting/pending/keep.ts';
import type { EntryDay } from '../../ledger/accounting/write-entry.ts';
import type { StoredDocument } from '../documents/stored.ts';

/**
 * After the change, enters what it makes of the notes that the document is, or is based on.
 * @param begins whether it is a new note that enters itself
 */
export function updateNoteEntries(
  changes: Changes,
  { row, lines }: Pick<StoredDocument, 'row' | 'lines'>,
  on: EntryDay,
  begins = false,
): void {
  const isNote = DOCUMENT_TYPES[row.docType].kind === 'delivery_note' && row.returns === null;
  const noteLines = lines.flatMap(({ id, baseLineId }) => (isNote ? id : (baseLineId ?? [])));
  const { date, periodId } = on;
  changes.follow(keepNoteEntries, { lines: noteLines, on: { date, periodId }, begins });
}
