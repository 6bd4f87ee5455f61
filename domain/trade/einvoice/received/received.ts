/** A supplier's invoice as its file states it, whatever the format. Amounts are as written. */
import type { Decimal } from '../../../money.ts';

export const RECEIVED_FORMATS = ['facturae', 'ubl', 'cii'] as const;
export type ReceivedFormat = (typeof RECEIVED_FORMATS)[number];

/** Treatment of a line: taxed, the buyer owes the tax, exempt, or not subject. */
export type ReceivedTreatment = 'taxed' | 'intra_eu' | 'reverse_charge' | 'exempt' | 'not_subject';

export interface ReceivedParty {
  readonly name: string;
  /** As written, the most telling first. */
  readonly taxIds: readonly string[];
  /** ISO 3166 code of two letters; null if it is not stated. */
  readonly country: string | null;
  readonly street: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
  readonly email: string | null;
}

/** A code of an item. The seller's own says nothing to the buyer, unless it is a barcode. */
export interface ReceivedCode {
  readonly by: 'buyer' | 'seller' | 'standard';
  readonly code: string;
}

export interface ReceivedLine {
  readonly description: string;
  readonly codes: readonly ReceivedCode[];
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  /** After discounts and charges, without tax. */
  readonly amount: Decimal;
  readonly taxRate: Decimal;
  readonly treatment: ReceivedTreatment;
  /** Income tax withheld from it, in percent; null or absent = as from the whole invoice. */
  readonly withholdingRate?: Decimal | null;
}

export interface ReceivedInvoice {
  readonly format: ReceivedFormat;
  readonly isCredit: boolean;
  readonly number: string;
  readonly date: string;
  readonly operationDate: string | null;
  readonly dueDate: string | null;
  readonly currency: string;
  readonly seller: ReceivedParty;
  readonly buyer: ReceivedParty;
  /** Number of the invoice that it rectifies. */
  readonly rectified: string | null;
  /** The buyer's own reference, such as the number of their order. */
  readonly reference: string | null;
  readonly notes: string | null;
  readonly lines: readonly ReceivedLine[];
  /** Percentage of income tax withheld; 0 for none. */
  readonly withholdingRate: Decimal;
  readonly totals: Readonly<Record<'net' | 'tax' | 'payable', Decimal>>;
}

/** Thrown for a file that is no invoice of a known format, or lacks what an invoice must state. */
export class UnreadableInvoice extends Error {
  override readonly name = 'UnreadableInvoice';
}
