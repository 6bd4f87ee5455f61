/** Debts and payments of partners, as kept on paper. Amounts are whole cents, days are strings. */

/** in: what customers owe and pay; out: the same of suppliers. */
export type Side = 'in' | 'out';

/** A part of a debt, and when it is due. */
export interface Part {
  readonly due: string;
  readonly amount: number;
}

/** An invoice, or what a line of an entry leaves open; a credit is below zero. */
export interface Debt {
  id: string;
  readonly kind: 'invoice' | 'item';
  readonly side: Side;
  /** Whose: of the customer (in) or the supplier (out). */
  readonly partner: Side;
  /** Code of the partner's account on which it stands. */
  readonly account: string;
  readonly date: string;
  readonly total: number;
  readonly parts: readonly Part[];
  /** The day on which it was cancelled. */
  cancelled: string | null;
}

/** The part of a debt that a payment settles. */
export interface Link {
  id: string;
  readonly debt: Debt;
  readonly day: string;
  /** Amount taken from the payment; signed as the payment sees it. */
  readonly amount: number;
  readonly withholding: number;
  readonly writeOff: number;
  /** Amount of the debt that is settled; signed as the debt sees it. */
  readonly settled: number;
  readonly instalment: number | null;
  /** Whether more was settled with it than the debt was of. */
  readonly overpays: boolean;
  /** Its position in the order of all operations. */
  readonly at: number;
}

export interface Payment {
  id: string;
  readonly kind: Side | 'offset';
  /** Whose: of the customer (in) or the supplier (out). */
  readonly partner: Side;
  readonly direction: Side;
  readonly amount: number;
  readonly day: string;
  links: Link[];
  /** All days with an entry of this payment. */
  readonly days: Set<string>;
  /** The payment that it returns. */
  readonly returns: Payment | null;
  returnedBy: Payment | null;
  /** For a return, the fees charged to the partner. */
  readonly fees: Entry | null;
  readonly at: number;
}

/** The part of a debt that an entry's line settles. */
export interface Settled {
  readonly debt: Debt;
  readonly settled: number;
  readonly at: number;
}

/** An entry by hand, or the fees of a return. */
export interface Entry {
  id: string;
  readonly day: string;
  readonly items: readonly Debt[];
  readonly settles: readonly Settled[];
  reversed: string | null;
}

/** Settles part of a debt on a day, or undoes that. */
export interface Settlement {
  readonly day: string;
  readonly cents: number;
  readonly instalment: number | null;
}

export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A day some days later. */
export function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export type Status = 'pending' | 'partial' | 'paid' | 'overpaid';

export function paymentStatus(whole: number, paid: number): Status {
  if (paid === 0) return 'pending';
  if (paid === whole) return 'paid';
  return whole - paid > 0 === whole > 0 ? 'partial' : 'overpaid';
}
