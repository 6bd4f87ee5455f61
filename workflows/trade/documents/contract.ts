/**
 * Contract of document workflows between the API, the relay and the workers: ids, queues, signals, updates. Constants,
 * types and start options only.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import {
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
  documentTitle,
  type PaperForm,
  parseDocType,
} from '../../../domain/trade/documents/types.ts';
import { taskPriority, type Work } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

/** Task queue for short document work. */
export const DOCUMENTS_QUEUE = 'documents';
/** Task queue for work that needs Chromium. */
export const PDF_QUEUE = 'pdf';

export const DOCUMENT_LIFECYCLE = 'documentLifecycle';
export const DOCUMENT_PDF = 'documentPdf';

export interface DocumentRef {
  readonly tenantId: string;
  readonly documentId: string;
  /** SQ, SO, SDN, SINV, PR, PO, PDN or PINV. */
  readonly docType: string;
}

/** A change of the document, as signalled by the relay. `eventId` makes a repeated signal a no-op. */
export interface DocumentChange {
  readonly eventId: string;
  /** document.created, document.updated, … */
  readonly event: string;
  readonly status: string;
  /**
   * Increases with each event of the document (the outbox's sequence), so that an older change never overwrites a newer
   * one.
   */
  readonly sequence: number;
  /** The document's number; null while it is a draft. */
  readonly code: string | null;
  /** When the document will be locked; null if it will not, or is. */
  readonly lockDueAt: string | null;
  /** When a quotation expires; null or absent if it does not. */
  readonly expiresAt?: string | null;
}

export interface LifecycleInput extends DocumentRef {
  readonly docType: DocType;
  /** The change that started it, which its search attributes show from the start. */
  readonly first: DocumentChange;
  /** State of an earlier run of the same workflow, after continue-as-new. */
  readonly carried?: LifecycleState;
}

/** The state of a document that its lifecycle needs for decisions. PostgreSQL is the source of truth. */
export interface LifecycleState {
  readonly status: DocumentStatus;
  readonly deleted: boolean;
  readonly code: string | null;
  /** When it will be locked. */
  readonly lockDueAt: string | null;
  /** When it expires; absent in histories of earlier versions. */
  readonly expiresAt?: string | null;
  readonly sequence: number;
  /** Ids of the latest events, to drop repetitions. */
  readonly seen: readonly string[];
}

export interface LifecycleView {
  readonly documentType: string;
  readonly documentId: string;
  readonly status: DocumentStatus;
  readonly lockDueAt: string | null;
  /** Updates that an operator can send now. */
  readonly updates: readonly string[];
}

/** Argument of the updates, all optional. */
export interface ActionOptions {
  /** Date of the reversing entry when an invoice is cancelled, YYYY-MM-DD. */
  readonly date?: string;
}

/** The answer of an update. */
export interface ActionResult {
  readonly documentId: string;
  readonly status: DocumentStatus;
  /** Legal number with prefix and suffix; null for a draft. */
  readonly code: string | null;
  readonly version: number;
}

/** Signal: a change of the document. */
export const documentChanged = defineSignal<[DocumentChange]>('documentChanged');
/** Updates for operators. */
export const postDocument = defineUpdate<ActionResult, [ActionOptions | null | undefined]>('post');
export const cancelDocument = defineUpdate<ActionResult, [ActionOptions | null | undefined]>('cancel');
/** Query: the state of a lifecycle. */
export const lifecycleState = defineQuery<LifecycleView>('state');

/** Input of a rendering: one version of a document. */
export interface DocumentPdfInput {
  readonly tenantId: string;
  readonly documentId: string;
  /** Absent: as it is. */
  readonly form?: PaperForm;
}

/** Workflow id of a document's lifecycle: `<tenant>/document/<id>`. */
export function documentLifecycleId(tenantId: string, documentId: string): string {
  return `${tenantId}/document/${documentId}`;
}

/** Workflow id of a rendering of one version of a document: `<tenant>/pdf/<id>/<version>`, and `/proforma` for that form. */
export function documentPdfId(tenantId: string, documentId: string, version: number, form?: PaperForm): string {
  return `${tenantId}/pdf/${documentId}/${version}${form === 'proforma' ? '/proforma' : ''}`;
}

/** Start options of a lifecycle. @param first the change that led to the document's state */
export function lifecycleStart(
  document: {
    readonly tenantId: string;
    readonly documentId: string;
    readonly docType: DocType;
    readonly partnerId: string | null;
  },
  first: DocumentChange,
) {
  const { tenantId, documentId, docType, partnerId } = document;
  const { status, code } = first;
  const { entityType } = DOCUMENT_TYPES[docType];
  return {
    workflow: DOCUMENT_LIFECYCLE,
    workflowId: documentLifecycleId(tenantId, documentId),
    taskQueue: DOCUMENTS_QUEUE,
    args: [{ tenantId, documentId, docType, first }] as [LifecycleInput],
    // A closed note that reopens gets another run; so does a document whose workflow was cancelled or terminated.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    priority: taskPriority('documentLifecycle', tenantId),
    typedSearchAttributes: searchAttributes({
      tenantId,
      entityType,
      entityId: documentId,
      documentCode: code,
      documentStatus: status,
      partnerId: partnerId ?? undefined,
    }),
    staticSummary: documentTitle(docType, code),
    staticDetails: [
      'One document, from its creation until it is closed, cancelled or deleted.',
      '“Request Cancellation” and “Terminate” end this workflow, **not the document**; the workflow restarts within the hour.',
    ].join('  \n'),
  };
}

/** One version of a document in a form. */
export interface PrintedDocument extends DocumentRef {
  readonly version: number;
  readonly code: string | null;
  readonly form?: PaperForm;
}

/** Start options of a rendering that a request is waiting for. */
export function pdfStart(document: PrintedDocument, work: Extract<Work, 'requestedPdf' | 'furtherPdf'>) {
  const { tenantId, documentId, version, code, form = 'document' } = document;
  const type = parseDocType(document.docType);
  return {
    workflow: DOCUMENT_PDF,
    workflowId: documentPdfId(tenantId, documentId, version, form),
    taskQueue: PDF_QUEUE,
    args: [{ tenantId, documentId, ...(form === 'document' ? {} : { form }) }] as [DocumentPdfInput],
    // Requests for the same version share one rendering; later requests may render it again.
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({
      tenantId,
      entityType: type && DOCUMENT_TYPES[type].entityType,
      entityId: documentId,
      documentCode: code,
    }),
    priority: taskPriority(work, tenantId),
    staticSummary: `PDF of ${type ? documentTitle(type, code) : documentId}, version ${version}`,
  };
}
