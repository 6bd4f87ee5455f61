/** A document as stored: head, lines and taxes. */

import { newId } from '../../../db/ids.ts';
import type { Row } from '../../../db/models/table.ts';
import type {
  Document,
  DocumentInstalment,
  DocumentLine,
  DocumentTax,
  PostalAddress,
} from '../../../db/models/trade/documents.ts';
import type { Recipient } from '../../../db/models/trade/full-invoices.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { CustomValues } from '../../../domain/records/custom-fields.ts';
import type { DocumentTotals } from '../../../domain/trade/documents/totals.ts';
import { DOCUMENT_TYPES, type DocumentStatus } from '../../../domain/trade/documents/types.ts';
import type { DocumentRecord } from '../../ledger/verifactu/document-record.ts';
import type { DocumentHead, PreparedDocument } from './prepared.ts';

/** A stored head with the related data shown with it. */
export type DocumentRow = Readonly<Row<typeof Document>> &
  DocumentHead & {
    readonly partner: Readonly<{ id: string; code: string; name: string; nif: string | null }>;
    /** Decimals of amounts in its currency. */
    readonly decimalPrecision: number;
    /** Decimals of amounts in the company's currency. */
    readonly companyPlaces: number;
    readonly quantityPrecision: number;
  };

export type LineRow = Readonly<Row<typeof DocumentLine>> & {
  /** Quantity invoiced through the notes that delivered this line. */
  readonly invoicedThroughNotes: Decimal;
  /** For a line of an order: delivered quantity that came back. */
  readonly returnedThroughNotes: Decimal;
};

export type TaxRow = Readonly<Row<typeof DocumentTax>>;

export type InstalmentRow = Readonly<Row<typeof DocumentInstalment>>;

/** A document that takes back from this one; drafts have no code yet. */
export interface TakingBack {
  readonly id: string;
  readonly code: string | null;
  readonly date: string;
  readonly status: DocumentStatus;
}

export interface StoredDocument {
  readonly row: DocumentRow;
  readonly lines: readonly LineRow[];
  readonly taxes: readonly TaxRow[];
  /** Instalments, if it has several due dates. */
  readonly instalments: readonly InstalmentRow[];
}

/** A document as read, or as it will be read after a change. */
export interface LoadedDocument extends StoredDocument {
  /** Its rectifying invoices or returns that are not cancelled, by date. */
  readonly takenBackBy: readonly TakingBack[];
  /** Its last record for the tax agency; null if it has none. */
  readonly record: DocumentRecord | null;
  /** The full invoice that was given in exchange for it; null if it is none, or was not exchanged. */
  readonly full: FullInvoiceData | null;
}

/** A full invoice in exchange for a simplified one. */
export interface FullInvoiceData {
  readonly id: string;
  readonly code: string;
  readonly date: string;
  readonly partnerId: string;
  readonly billingAddress: PostalAddress | null;
  readonly recipient: Recipient;
}

/** Progress of a line from which nothing was taken. */
const UNTOUCHED = {
  deliveredQuantity: '0',
  invoicedQuantity: '0',
  returnedQuantity: '0',
  closedQuantity: '0',
  invoicedThroughNotes: '0',
  returnedThroughNotes: '0',
} as const;

/** Builds the rows of a document about to be inserted. */
export function documentRows(
  prepared: PreparedDocument,
  made: {
    readonly by: string | null;
    readonly at: string;
    readonly custom: CustomValues;
  } & Pick<DocumentRow, 'decimalPrecision' | 'companyPlaces' | 'quantityPrecision'>,
): StoredDocument {
  const { totals, partner } = prepared;
  const { amounts: _amounts, taxes, ...sums } = totals satisfies DocumentTotals;
  const row: DocumentRow = {
    ...prepared,
    ...sums,
    number: null,
    code: null,
    paymentStatus: DOCUMENT_TYPES[prepared.docType].kind === 'invoice' ? 'pending' : null,
    partnerId: partner.id,
    partner: { id: partner.id, code: partner.code, name: partner.name, nif: partner.nif },
    paidTotal: '0',
    companyPaidTotal: prepared.exchangeRate === null ? null : '0',
    createdBy: made.by,
    createdAt: made.at,
    updatedAt: made.at,
    postedAt: null,
    cancelledAt: null,
    sentAt: null,
    closedAt: null,
    lockedAt: null,
    lockDueAt: null,
    notesReleased: false,
    dunningPaused: false,
    dunningLevel: 0,
    dunnedOn: null,
    ...{ expiresAt: null, revision: 1, decidedAt: null, decidedBy: null, decisionNote: null },
    version: 1,
    custom: made.custom,
    decimalPrecision: made.decimalPrecision,
    companyPlaces: made.companyPlaces,
    quantityPrecision: made.quantityPrecision,
  };
  const lines = prepared.lines.map((line) => ({
    ...line,
    documentId: prepared.id,
    ...UNTOUCHED,
  }));
  const instalments = prepared.instalments.map((part) => ({
    ...part,
    id: newId(),
    documentId: prepared.id,
    partnerId: partner.id,
    settled: '0' as const,
    outstanding: part.amount,
  }));
  return { row, lines, taxes: taxes.map((tax) => ({ ...tax, id: newId(), documentId: prepared.id })), instalments };
}
