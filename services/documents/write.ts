/** Writes documents: head, lines and taxes, with one audit record and one event. */
import type { Changes } from '../../db/changes/changes.ts';
import type { DomainEvent, Entity } from '../../db/changes/trail.ts';
import type { Context } from '../../db/context.ts';
import { Document, DocumentLine, DocumentTax } from '../../db/models/documents.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import type { DocumentRow, StoredDocument } from './stored.ts';
import { documentToJson, headerToJson } from './to-json.ts';

type Shown = ReturnType<typeof documentToJson>;

/** @returns the document as shown, without derived members */
export function addDocument(changes: Changes, document: StoredDocument, event: DomainEvent): Shown {
  const { row, lines, taxes } = document;
  const shown = documentToJson(row, lines, taxes);
  changes.insert(Document, [row]).insert(DocumentLine, lines).insert(DocumentTax, taxes);
  changes.audit(entityOf(row), null, shown).emit(entityOf(row), event);
  return shown;
}

/**
 * Writes the difference between a document as read and as it should be. Lines are matched by id.
 * @returns the document after the change, as shown
 */
export function changeDocument(
  changes: Changes,
  before: StoredDocument,
  after: StoredDocument,
  ...events: readonly DomainEvent[]
): Shown {
  const shown = documentToJson(before.row, before.lines, before.taxes);
  const next = nextToJson(before, after, shown);
  changes.update(Document, [{ before: before.row, after: after.row }]);
  if (after.lines !== before.lines) changeLines(changes, before, after);
  if (after.taxes !== before.taxes) changes.remove(DocumentTax, before.taxes).insert(DocumentTax, after.taxes);
  changes.audit(entityOf(after.row), shown, next).emit(entityOf(after.row), ...events);
  return next;
}

export function removeDocument(changes: Changes, { row, lines, taxes }: StoredDocument, event: DomainEvent): void {
  changes.remove(Document, [row]);
  changes.audit(entityOf(row), documentToJson(row, lines, taxes), null).emit(entityOf(row), event);
}

/** The head after a change. */
export function changedRow(ctx: Context, row: DocumentRow, changes: Partial<DocumentRow>): DocumentRow {
  return { ...row, ...changes, updatedAt: ctx.now.toISOString(), version: row.version + 1 };
}

/** The subject of audit records and events. */
export function entityOf({ docType, id }: Pick<DocumentRow, 'docType' | 'id'>): Entity {
  return { type: DOCUMENT_TYPES[docType].entityType, id };
}

function changeLines(changes: Changes, before: StoredDocument, after: StoredDocument): void {
  const old = new Map(before.lines.map((line) => [line.id, line]));
  const kept = new Set(after.lines.map(({ id }) => id));
  changes.remove(
    DocumentLine,
    before.lines.filter(({ id }) => !kept.has(id)),
  );
  changes.update(
    DocumentLine,
    after.lines.flatMap((line) => {
      const known = old.get(line.id);
      return known === undefined || known === line ? [] : [{ before: known, after: line }];
    }),
  );
  changes.insert(
    DocumentLine,
    after.lines.filter(({ id }) => !old.has(id)),
  );
}

/** Most changes affect only the head. */
function nextToJson(before: StoredDocument, after: StoredDocument, shown: Shown): Shown {
  if (after.lines !== before.lines || after.taxes !== before.taxes) {
    return documentToJson(after.row, after.lines, after.taxes);
  }
  return { ...headerToJson(after.row), lines: shown.lines, taxes: shown.taxes };
}
