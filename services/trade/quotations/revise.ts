/** Versions of quotations: what was sent is kept, and a draft of the next one begun. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { DocumentRevision } from '../../../db/models/trade/documents.ts';
import { prepared } from '../../../db/sql.ts';
import { DOCUMENT_STATUS, type DocType } from '../../../domain/trade/documents/types.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadDocument, loadForAction } from '../documents/read.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';

/**
 * Begins the next version of a quotation that was sent, rejected or has expired: it becomes a draft with the same number.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function reviseQuotation(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadForAction(trx, ctx, documentId, 'revise', options);
  const { row } = document;
  const content = documentAnswer(document);
  const undecided = { expiresAt: null, decidedAt: null, decidedBy: null, decisionNote: null };
  const values = { status: DOCUMENT_STATUS.draft, revision: row.revision + 1, ...undecided };
  const next = { ...document, row: changedRow(ctx, row, values) };
  const changes = new Changes(ctx);
  changes.insert(DocumentRevision, [
    { id: newId(), documentId, revision: row.revision, content, createdAt: ctx.now.toISOString() },
  ]);
  const fields = ['status', 'revision', ...Object.keys(undecided)];
  const event = documentEvent('document.updated', next.row, { fields, previousStatus: row.status });
  const shown = changeDocument(changes, document, next, event);
  await changes.write(trx);
  return documentAnswer(next, shown);
}

/** The earlier versions of a quotation as they were sent, the latest first. @throws ServiceError not_found */
export async function listRevisions(reader: Reader, documentId: string, docType: DocType) {
  await loadDocument(reader, documentId, docType);
  const rows = await prepared<{ content: DocumentAnswer }>(
    reader,
    'select content from document_revisions where document_id = :documentId::uuid order by revision desc',
    { documentId },
  );
  return rows.map(({ content }) => content);
}
