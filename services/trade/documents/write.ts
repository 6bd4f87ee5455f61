/** Writes documents: head, lines and taxes, with one audit record and one event. */
import type { Changes, Insertable } from '../../../db/changes/changes.ts';
import type { DomainEvent, Entity } from '../../../db/changes/trail.ts';
import type { Context } from '../../../db/context.ts';
import type { DeclaredTable } from '../../../db/models/table.ts';
import { Document, DocumentInstalment, DocumentLine, DocumentTax } from '../../../db/models/trade/documents.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { DocumentRow, StoredDocument } from './stored.ts';
import { documentToJson, dueToJson, headerToJson } from './to-json.ts';

type Shown = ReturnType<typeof documentToJson>;

/** Adds a new document. @returns the document as shown, without derived members */
export function addDocument(changes: Changes, document: StoredDocument, event: DomainEvent): Shown {
  const { row, lines, taxes, instalments } = document;
  const shown = documentToJson(document);
  changes.insert(Document, [row]).insert(DocumentLine, lines).insert(DocumentTax, taxes);
  changes.insert(DocumentInstalment, instalments);
  changes.audit(documentEntity(row), null, shown).emit(documentEntity(row), event);
  return shown;
}

/**
 * Writes the difference between a document as read and as it should be. Lines are matched by id.
 * @returns the changed document as shown
 */
export function changeDocument(
  changes: Changes,
  before: StoredDocument,
  after: StoredDocument,
  ...events: readonly DomainEvent[]
): Shown {
  const shown = documentToJson(before);
  const next = nextToJson(before, after, shown);
  changes.update(Document, [{ before: before.row, after: after.row }]);
  if (after.lines !== before.lines) changeRows(changes, DocumentLine, before.lines, after.lines);
  if (after.instalments !== before.instalments) {
    changeRows(changes, DocumentInstalment, before.instalments, after.instalments);
  }
  if (after.taxes !== before.taxes) changes.remove(DocumentTax, before.taxes).insert(DocumentTax, after.taxes);
  changes.audit(documentEntity(after.row), shown, next).emit(documentEntity(after.row), ...events);
  return next;
}

export function removeDocument(changes: Changes, document: StoredDocument, event: DomainEvent): void {
  const { row } = document;
  changes.remove(Document, [row]);
  changes.audit(documentEntity(row), documentToJson(document), null).emit(documentEntity(row), event);
}

/** Builds the head after a change. */
export function changedRow(ctx: Context, row: DocumentRow, changes: Partial<DocumentRow>): DocumentRow {
  return { ...row, ...changes, updatedAt: ctx.now.toISOString(), version: row.version + 1 };
}

/** The entity named in audit records and events. */
export function documentEntity({ docType, id }: Pick<DocumentRow, 'docType' | 'id'>): Entity {
  return { type: DOCUMENT_TYPES[docType].entityType, id };
}

/** Writes the differences between rows of the document, matched by id. */
function changeRows<T extends DeclaredTable>(
  changes: Changes,
  table: T,
  before: readonly (Insertable<T> & { readonly id: string })[],
  after: readonly (Insertable<T> & { readonly id: string })[],
): void {
  const old = new Map(before.map((row) => [row.id, row]));
  const kept = new Set(after.map(({ id }) => id));
  changes.remove(
    table,
    before.filter(({ id }) => !kept.has(id)),
  );
  changes.update(
    table,
    after.flatMap((row) => {
      const known = old.get(row.id);
      return known === undefined || known === row ? [] : [{ before: known, after: row }];
    }),
  );
  changes.insert(
    table,
    after.filter(({ id }) => !old.has(id)),
  );
}

/** Builds the changed document as shown; most changes affect only the head. */
function nextToJson(before: StoredDocument, after: StoredDocument, shown: Shown): Shown {
  if (after.lines !== before.lines || after.taxes !== before.taxes) {
    return documentToJson(after);
  }
  return { ...headerToJson(after.row), ...dueToJson(after), lines: shown.lines, taxes: shown.taxes };
}
