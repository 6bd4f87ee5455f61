/** A document with everything decided but its number: the result of resolve.ts, and what is written of it. */
import type { Document, DocumentLine } from '../../db/models/documents.ts';
import type { Row } from '../../db/models/table.ts';
import type { DocumentTotals } from '../../domain/documents/totals.ts';
import type { PartnerReference } from './resolve/references.ts';

/** What is written by those who take from a line, and nobody else. */
type Progress = 'deliveredQuantity' | 'invoicedQuantity' | 'returnedQuantity' | 'closedQuantity';

/** What a line is, before and after it is stored. */
export type LineHead = Readonly<Omit<Row<typeof DocumentLine>, Progress | 'documentId'>>;

export interface PreparedLine extends LineHead {
  readonly taxCode: string;
  /** Whether the item's stock is kept. */
  readonly stockTracked: boolean;
}

/** What is worked out of a head, or becomes of it later. */
type Later =
  | 'number'
  | 'code'
  | 'paymentStatus'
  | 'subtotal'
  | 'discountTotal'
  | 'taxTotal'
  | 'withholdingAmount'
  | 'total'
  | 'paidTotal'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'postedAt'
  | 'cancelledAt'
  | 'sentAt'
  | 'closedAt'
  | 'version'
  | 'custom';

/** What the head of a document says, before and after it is stored. */
export type DocumentHead = Readonly<Omit<Row<typeof Document>, Later>> & {
  readonly seriesPrefix: string;
  /** Whether it stands in a series of rectifying invoices. */
  readonly rectifying: boolean;
};

export type PreparedDocument = DocumentHead & {
  readonly partner: PartnerReference;
  readonly totals: DocumentTotals;
  readonly lines: readonly PreparedLine[];
};
