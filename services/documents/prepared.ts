/** A document with everything decided but its number: the result of resolve/, and the input of writing. */
import type { Document, DocumentLine } from '../../db/models/documents.ts';
import type { Row } from '../../db/models/table.ts';
import type { DocumentTotals } from '../../domain/documents/totals.ts';
import type { Instalment } from '../../domain/payments/terms.ts';
import type { PartnerReference } from './resolve/references.ts';

/** Columns written only when others take from a line. */
type Progress = 'deliveredQuantity' | 'invoicedQuantity' | 'returnedQuantity' | 'closedQuantity';

/** A line's columns, before and after it is stored. */
export type LineHead = Readonly<Omit<Row<typeof DocumentLine>, Progress | 'documentId'>>;

export interface PreparedLine extends LineHead {
  readonly taxCode: string;
  /** Whether the item has stock. */
  readonly stockTracked: boolean;
}

/** Columns that are computed from a head, or set later. */
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
  | 'lockedAt'
  | 'lockDueAt'
  | 'version'
  | 'custom';

/** A head's columns, before and after it is stored. */
export type DocumentHead = Readonly<Omit<Row<typeof Document>, Later>> & {
  readonly seriesPrefix: string;
  /** Whether its series is of rectifying invoices. */
  readonly rectifying: boolean;
};

export type PreparedDocument = DocumentHead & {
  readonly partner: PartnerReference;
  readonly totals: DocumentTotals;
  /** The parts in which it is due, if there are several. */
  readonly instalments: readonly Instalment[];
  readonly lines: readonly PreparedLine[];
};
