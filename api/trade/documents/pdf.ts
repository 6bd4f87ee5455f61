/** Provides the PDF of a document: the stored one of this version, otherwise rendered by a worker. */
import type { DocType, PaperForm } from '../../../domain/trade/documents/types.ts';
import { findDocumentPdf, readFile } from '../../../services/platform/files/files.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import type { Deps, RouteRequest, RouteResponse } from '../../route.ts';

/** Loads or renders the PDF. @throws ServiceError not_found; unavailable if no worker answers in time */
export async function documentPdf(
  docType: DocType,
  { params, ctx, deps }: RouteRequest<{ id: string }, unknown, unknown>,
  form?: PaperForm,
): Promise<RouteResponse> {
  const document = { tenantId: ctx.tenantId, documentId: params.id, docType };
  return await documentFile(deps, form === undefined ? document : { ...document, form });
}

interface Wanted {
  readonly tenantId: string;
  readonly documentId: string;
  readonly docType: DocType;
  readonly form?: PaperForm;
}

/** The same for whoever may see the document. @throws ServiceError as `documentPdf` */
export async function documentFile(deps: Deps, wanted: Wanted): Promise<RouteResponse> {
  const { tenantId, documentId, docType, form = 'document' } = wanted;
  // No connection is held while Chromium works.
  const { row, stored } = await deps.database.readTenant({ tenantId }, async (db) => {
    const document = await loadDocument(db, documentId, docType);
    return { row: document.row, stored: await findDocumentPdf(db, documentId, document.row.version, form) };
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
    const document = { tenantId, documentId, docType, version, code, form };
    const { fileId } = await deps.workflows.renderDocumentPdf(document);
    return await deps.database.readTenant({ tenantId }, (db) => readFile(db, fileId));
  }
}
