/** A document with everything decided except its number: the result of resolve/ and the input of writing. */

import type { Row } from '../../../db/models/table.ts';
import type { Document, DocumentLine } from '../../../db/models/trade/documents.ts';
import type { DocumentTotals } from '../../../domain/trade/documents/totals.ts';
import type { Instalment } from '../../../domain/trade/payments/terms.ts';
import type { PartnerReference } from './resolve/references.ts';

/** Columns written only when other documents take from a line. */
type Progress = 'deliveredQuantity' | 'invoicedQuantity' | 'returnedQuantity' | 'closedQuantity';

/** Columns of a line, before and after it is stored. */
export type LineHead = Readonly<Omit<Row<typeof DocumentLine>, Progress | 'documentId'>>;

export interface PreparedLine extends LineHead {
  readonly taxCode: string;
  /** Whether the item has stock. */
  readonly stockTracked: boolean;
}

/** Columns that are computed from a head, or set later. */
type DerivedColumn =
  | 'number'
  | 'code'
  | 'paymentStatus'
  | 'subtotal'
  | 'discountTotal'
  | 'taxTotal'
  | 'withholdingAmount'
  | 'total'
  | 'paidTotal'
  | 'companyPaidTotal'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'postedAt'
  | 'cancelledAt'
  | 'sentAt'
  | 'closedAt'
  | 'lockedAt'
  | 'lockDueAt'
  | 'notesReleased'
  | 'dunningPaused'
  | 'dunningLevel'
  | 'dunnedOn'
  | 'expiresAt'
  | 'revision'
  | 'decidedAt'
  | 'decidedBy'
  | 'decisionNote'
  | 'version'
  | 'custom';

/** Columns of a head, before and after it is stored. */
export type DocumentHead = Readonly<Omit<Row<typeof Document>, DerivedColumn>> & {
  readonly seriesPrefix: string;
  /** Whether its series is for rectifying invoices. */
  readonly rectifying: boolean;
};

export type PreparedDocument = DocumentHead & {
  readonly partner: PartnerReference;
  readonly totals: DocumentTotals;
  /** Instalments, if it has several due dates. */
  readonly instalments: readonly Instalment[];
  readonly lines: readonly PreparedLine[];
};
