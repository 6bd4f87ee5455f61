/** What API, relay and workers must agree on about a document's workflows: ids, queues, signals, updates. Only constants and types. */

/** Task queue of short document work. */
export const DOCUMENTS_QUEUE = 'documents';
/** Task queue of what needs Chromium or Excel. */
export const REPORTS_QUEUE = 'reports';

export interface DocumentRef {
  readonly tenantId: string;
  readonly documentId: string;
  /** SO, SDN, SINV, PO, PDN or PINV. */
  readonly docType: string;
}

/** One change of the document, as the relay signals it. `eventId` makes a repeated signal a no-op. */
export interface DocumentChange {
  readonly eventId: string;
  readonly event: string;
  readonly status: string;
  readonly version: number;
}

/** The lifecycle of one document: `<tenant>/document/<id>`. */
export function documentLifecycleId(tenantId: string, documentId: string): string {
  return `${tenantId}/document/${documentId}`;
}

/** One rendering of one version of a document: `<tenant>/pdf/<id>/<version>`. */
export function documentPdfId(tenantId: string, documentId: string, version: number): string {
  return `${tenantId}/pdf/${documentId}/${version}`;
}
