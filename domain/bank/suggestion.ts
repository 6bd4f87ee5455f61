/** What a line of a statement may be, and what speaks for it. */
import { type Decimal, decimal } from '../money.ts';
import type { StatementLine } from './statement.ts';
import { similarity } from './words.ts';

export type SuggestedLine = Pick<
  StatementLine,
  'date' | 'amount' | 'reference' | 'endToEndId' | 'text' | 'counterpartyName' | 'counterpartyIban'
>;

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly iban: string | null;
}

/** An open invoice. */
export interface OpenInvoice {
  readonly id: string;
  readonly docType: 'SINV' | 'PINV';
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  /** Below zero for what it credits. */
  readonly outstanding: Decimal;
  readonly partner: Partner;
}

/** A payment that is registered and that no line shows yet, of the line's amount and direction. */
export interface OpenPayment {
  readonly id: string;
  readonly date: string;
  readonly reference: string | null;
  readonly partner: Partner;
}

/** An order to the bank, or one of its batches, that no line shows yet, of the line's amount and direction. */
export interface OpenOrder {
  readonly id: string;
  /** Null for the whole order. */
  readonly batch: number | null;
  readonly kind: 'credit_transfers' | 'direct_debits';
  /** As the message has it, in lower case. */
  readonly messageId: string;
  readonly date: string;
  readonly count: number;
  readonly total: Decimal;
  /** What is paid or collected, the first ones. */
  readonly items: readonly OrderedItem[];
}

export interface OrderedItem {
  readonly paymentId: string | null;
  readonly documentId: string | null;
  readonly documentCode: string | null;
  readonly partnerName: string;
  readonly amount: Decimal;
}

export interface Suggestion {
  /** The payment that the line shows; null where one would be registered for the invoices. */
  readonly payment: OpenPayment | null;
  readonly invoices: readonly OpenInvoice[];
  /** The order whose payments the bank has booked as one sum. */
  readonly order: OpenOrder | null;
  /** Null for an order, which has several. */
  readonly partner: Partner | null;
  /** 0 to 100; from 90 on there is hardly a doubt. */
  readonly score: number;
  /** In words, for who decides. */
  readonly reasons: readonly string[];
}

/** What speaks for a suggestion. */
export interface Evidence {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What each rule is worth. Of a payment, that it is there already speaks for it, and a near day. */
export const WORTH = { exact: 60, mentioned: 45, amount: 30, iban: 25, name: 15, registered: 25, day: 15 } as const;
const NEAR_DAYS = 7;

/** What all that speaks for it is worth together. */
export function weighed(evidence: readonly Evidence[]): Evidence {
  const score = evidence.reduce((total, one) => total + one.score, 0);
  return { score: Math.min(score, 100), reasons: evidence.flatMap(({ reasons }) => reasons) };
}

export function aboutPartner(line: SuggestedLine, { name, iban }: Partner): Evidence {
  const reasons: string[] = [];
  let score = 0;
  if (iban !== null && iban === line.counterpartyIban) {
    score += WORTH.iban;
    reasons.push(`the IBAN is that of ${name}`);
  }
  const likeness = similarity(name, line.counterpartyName ?? line.text ?? '');
  if (likeness >= 0.5) {
    score += Math.round(WORTH.name * likeness);
    reasons.push(`the name is like ${name}`);
  }
  return { score, reasons };
}

export function aboutDay(line: SuggestedLine, date: string): Evidence {
  const apart = Math.abs(Date.parse(date) - Date.parse(line.date));
  if (apart > NEAR_DAYS * 86_400_000) return { score: 0, reasons: [] };
  return { score: WORTH.day, reasons: [`it is of ${date}`] };
}

/** What an invoice is worth to a line: above zero where money of its direction pays it, or pays back what it credits. */
export function due(line: SuggestedLine, { docType, outstanding }: OpenInvoice): Decimal {
  return decimal(outstanding)
    .times(docType === ownType(line) ? 1 : -1)
    .toFixed();
}

/** Invoices of the line's side: sales for what came in, purchases for what went out. */
export function ownType({ amount }: SuggestedLine): 'SINV' | 'PINV' {
  return amount.startsWith('-') ? 'PINV' : 'SINV';
}
