/** Provides the PDF of a document: the stored one of this version, otherwise rendered by a worker. */
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { findDocumentPdf, readFile } from '../../../services/platform/files/files.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import type { Deps, RouteRequest, RouteResponse } from '../../route.ts';

/** Loads or renders the PDF. @throws ServiceError not_found; unavailable if no worker answers in time */
export async function documentPdf(
  docType: DocType,
  { params, ctx, deps }: RouteRequest<{ id: string }, unknown, unknown>,
): Promise<RouteResponse> {
  return await documentFile(deps, { tenantId: ctx.tenantId, documentId: params.id, docType });
}

interface Wanted {
  readonly tenantId: string;
  readonly documentId: string;
  readonly docType: DocType;
}

/** The same for whoever may see the document. @throws ServiceError as `documentPdf` */
export async function documentFile(deps: Deps, { tenantId, documentId, docType }: Wanted): Promise<RouteResponse> {
  // No connection is held while Chromium works.
  const { row, stored } = await deps.database.readTenant({ tenantId }, async (db) => {
    const document = await loadDocument(db, documentId, docType);
    return { row: document.row, stored: await findDocumentPdf(db, documentId, document.row.version) };
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
    const { version, code } = row;
    const document = { tenantId, documentId, docType, version, code };
    const { fileId } = await deps.workflows.renderDocumentPdf(document);
    return await deps.database.readTenant({ tenantId }, (db) => readFile(db, fileId));
  }
}
