import type { DocumentRef } from '../workflows/documents/contract.ts';

/** The little that the API asks of Temporal directly; everything else reaches it through the outbox. */
export interface WorkflowClient {
  /** Whether the cluster answers within a second. */
  isUp(): Promise<boolean>;
  /**
   * Has a worker render one version of a document and waits for it.
   * @returns the id of the stored file
   * @throws ServiceError unavailable when Temporal or the worker does not answer in time
   */
  renderDocumentPdf(document: DocumentRef & { readonly version: number }): Promise<{ readonly fileId: string }>;
  close(): Promise<void>;
}
