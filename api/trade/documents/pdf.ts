/** Provides the PDF of a document: the stored one of this version, otherwise rendered by a worker. */
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { findDocumentPdf, readFile } from '../../../services/platform/files/files.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import type { RouteRequest, RouteResponse } from '../../route.ts';

/** Loads or renders the PDF. @throws ServiceError not_found; unavailable if no worker answers in time */
export async function documentPdf(
  docType: DocType,
  { params, ctx, deps }: RouteRequest<{ id: string }, unknown, unknown>,
): Promise<RouteResponse> {
  // No connection is held while Chromium works.
  const { row, stored } = await deps.database.readTenant(ctx, async (db) => {
    const document = await loadDocument(db, params.id, docType);
    return { row: document.row, stored: await findDocumentPdf(db, params.id, document.row.version) };
  });
  const file = stored ?? (await renderedNow());
  return {
    status: 200,
    body: file.content,
    headers: {
      'Content-Type': file.contentType,
      'Content-Disposition': `inline; filename="${file.name.replace(/[^\w.-]+/g, '_')}"`,
    },
  };

  async function renderedNow() {
    const { id: documentId, version, code } = row;
    const document = { tenantId: ctx.tenantId, documentId, docType, version, code };
    const { fileId } = await deps.workflows.renderDocumentPdf(document);
    return await deps.database.readTenant(ctx, (db) => readFile(db, fileId));
  }
}
