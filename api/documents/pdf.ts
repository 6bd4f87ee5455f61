/** The PDF of a document: the stored one of this version, else a worker makes it now. */

import type { DocType } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { loadDocument } from '../../services/documents/read.ts';
import { findDocumentPdf, readFile } from '../../services/files/files.ts';
import type { RouteRequest, RouteResponse } from '../route.ts';

/** @throws ServiceError not_found; unavailable when no worker answers in time */
export async function documentPdf(
  docType: DocType,
  { params, ctx, deps }: RouteRequest<{ id: string }, unknown, unknown>,
): Promise<RouteResponse> {
  // No connection is held while Chromium works.
  const { document, stored } = await deps.database.readTenant(ctx, async (db) => {
    const loaded = await loadDocument(db, params.id, docType);
    return { document: loaded.row, stored: await findDocumentPdf(db, params.id, loaded.row.version) };
  });
  const fileId =
    stored ??
    (
      await deps.workflows.renderDocumentPdf({
        tenantId: ctx.tenantId,
        documentId: document.id,
        docType,
        version: document.version,
      })
    ).fileId;
  const file = await deps.database.readTenant(ctx, (db) => readFile(db, fileId));
  if (!file)
    throw new ServiceError('unavailable', 'The PDF was made but cannot be read yet; try again', { retryAfter: 1 });
  return {
    status: 200,
    body: file.content,
    headers: {
      'Content-Type': file.contentType,
      'Content-Disposition': `inline; filename="${file.name.replace(/[^\w.-]+/g, '_')}"`,
    },
  };
}
