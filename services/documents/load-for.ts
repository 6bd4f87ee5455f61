/** A document loaded for an action that its state has to allow. */
import type { Db } from '../../db/database.ts';
import { assertVersion } from '../../db/write.ts';
import { type DocumentAction, isAllowed, refusal } from '../../domain/documents/transitions.ts';
import type { DocType } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { loadDocument } from './read.ts';
import type { DocumentRow, LoadedDocument } from './stored.ts';

export interface ActionOptions {
  /** The version that the caller saw (If-Match); null when it does not matter. */
  readonly ifMatch: number | null;
  /** The type that the document must be of; any when left out. */
  readonly docType?: DocType;
}

/**
 * Loads the document, without locking it: what is written later names the version that was read.
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function loadFor(
  trx: Db,
  documentId: string,
  action: DocumentAction,
  options: ActionOptions,
): Promise<LoadedDocument> {
  const document = await loadDocument(trx, documentId, options.docType);
  assertVersion(document.row, options.ifMatch);
  assertAllowed(document.row, action);
  return document;
}

/** @throws ServiceError invalid_transition */
export function assertAllowed({ docType, status, code }: DocumentRow, action: DocumentAction): void {
  if (isAllowed(docType, status, action)) return;
  throw new ServiceError('invalid_transition', refusal(docType, status, action, code ?? 'It'));
}
