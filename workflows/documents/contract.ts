/**
 * The contract of a document's workflows between API, relay and workers: ids, queues, signals, updates. Constants, types and start options
 * only.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import {
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
  documentTitle,
  parseDocType,
} from '../../domain/documents/types.ts';
import { priorityOf, type Work } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Task queue of short document work. */
export const DOCUMENTS_QUEUE = 'documents';
/** Task queue of work that needs Chromium. */
export const PDF_QUEUE = 'pdf';

export const DOCUMENT_LIFECYCLE = 'documentLifecycle';
export const DOCUMENT_PDF = 'documentPdf';

export interface DocumentRef {
  readonly tenantId: string;
  readonly documentId: string;
  /** SO, SDN, SINV, PO, PDN or PINV. */
  readonly docType: string;
}

/** One change of the document, as the relay signals it. `eventId` makes a repeated signal a no-op. */
export interface DocumentChange {
  readonly eventId: string;
  /** document.created, document.updated, … */
  readonly event: string;
  readonly status: string;
  /** Rises with each event of the document (the outbox's sequence), so that an older change never overwrites a newer one. */
  readonly sequence: number;
  /** The document's number; null while it is a draft, absent in signals of earlier releases. */
  readonly code?: string | null;
  /** When the document will be locked; absent in signals of earlier releases. */
  readonly lockDueAt?: string | null;
}

export interface LifecycleInput extends DocumentRef {
  readonly docType: DocType;
  /** Absent where an earlier release has started it: such a lifecycle keeps the PDF of its invoice as soon as that is posted. */
  readonly pdfWhenWanted?: true;
  /** The change that started it, which its search attributes show from the start. Absent where an earlier release has started it. */
  readonly first?: DocumentChange;
  /** State of an earlier run of the same workflow, after continue-as-new. */
  readonly carried?: LifecycleState;
}

/** What a lifecycle knows about its document: as much as its decisions need. PostgreSQL is the source of truth. */
export interface LifecycleState {
  /** null until the first change arrives: only in lifecycles that an earlier release has started. */
  readonly status: DocumentStatus | null;
  readonly deleted: boolean;
  /** Absent in state carried over from an earlier release. */
  readonly code?: string | null;
  /** When it will be locked. Absent in state carried over from an earlier release. */
  readonly lockDueAt?: string | null;
  readonly sequence: number;
  /** Ids of the latest events, to drop repetitions. */
  readonly seen: readonly string[];
  /** Of lifecycles that keep it; `none` of all others. */
  readonly pdf: 'none' | 'pending' | 'kept' | 'failed';
}

export interface LifecycleView {
  readonly documentType: string;
  readonly documentId: string;
  readonly status: DocumentStatus | null;
  readonly pdf: LifecycleState['pdf'];
  readonly lockDueAt: string | null;
  /** What an operator can do now. */
  readonly updates: readonly string[];
}

/** Argument of the updates, all optional. */
export interface ActionOptions {
  /** Date of the reversing entry of a cancelled invoice, YYYY-MM-DD. */
  readonly date?: string;
}

/** The answer of an update. */
export interface ActionResult {
  readonly documentId: string;
  readonly status: DocumentStatus;
  /** Legal number with prefix and suffix; null in a draft. */
  readonly code: string | null;
  readonly version: number;
}

/** Signals a change to a lifecycle. */
export const documentChanged = defineSignal<[DocumentChange]>('documentChanged');
/** Updates of a lifecycle, for operators. */
export const postDocument = defineUpdate<ActionResult, [ActionOptions | null | undefined]>('post');
export const cancelDocument = defineUpdate<ActionResult, [ActionOptions | null | undefined]>('cancel');
/** What a lifecycle knows about its document. */
export const lifecycleState = defineQuery<LifecycleView>('state');

/** One rendering of one version of a document. */
export interface DocumentPdfInput {
  readonly tenantId: string;
  readonly documentId: string;
}

/** The lifecycle of one document: `<tenant>/document/<id>`. */
export function documentLifecycleId(tenantId: string, documentId: string): string {
  return `${tenantId}/document/${documentId}`;
}

/** One rendering of one version of a document: `<tenant>/pdf/<id>/<version>`. */
export function documentPdfId(tenantId: string, documentId: string, version: number): string {
  return `${tenantId}/pdf/${documentId}/${version}`;
}

/** Start options of a lifecycle. @param first the document's state, by the change that led to it */
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
  const { status, code = null } = first;
  const { entityType } = DOCUMENT_TYPES[docType];
  return {
    workflow: DOCUMENT_LIFECYCLE,
    workflowId: documentLifecycleId(tenantId, documentId),
    taskQueue: DOCUMENTS_QUEUE,
    args: [{ tenantId, documentId, docType, pdfWhenWanted: true, first }] as [LifecycleInput],
    // A closed note that reopens gets another run; so does a document whose workflow was cancelled or terminated.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    priority: priorityOf('documentLifecycle', tenantId),
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

/** Start options of a rendering that a request waits for. */
export function pdfStart(
  document: DocumentRef & { readonly version: number; readonly code: string | null },
  work: Extract<Work, 'requestedPdf' | 'furtherPdf'>,
) {
  const { tenantId, documentId, version, code } = document;
  const type = parseDocType(document.docType);
  return {
    workflow: DOCUMENT_PDF,
    workflowId: documentPdfId(tenantId, documentId, version),
    taskQueue: PDF_QUEUE,
    args: [{ tenantId, documentId }] as [DocumentPdfInput],
    // Several requests for one version share one rendering; a later one may render it again.
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({
      tenantId,
      entityType: type && DOCUMENT_TYPES[type].entityType,
      entityId: documentId,
      documentCode: code,
    }),
    priority: priorityOf(work, tenantId),
    staticSummary: `PDF of ${type ? documentTitle(type, code) : documentId}, version ${version}`,
  };
}
