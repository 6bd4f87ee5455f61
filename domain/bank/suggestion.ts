/** A suggestion for a statement line, with its evidence. */
import { type Decimal, decimal } from '../money.ts';
import type { OpenInstalment } from '../payments/terms.ts';
import type { StatementLine } from './statement.ts';
import { similarity } from './words.ts';

export type SuggestedLine = Pick<
  StatementLine,
  'date' | 'amount' | 'reference' | 'endToEndId' | 'text' | 'counterpartyName' | 'counterpartyIban'
> &
  Partial<Pick<StatementLine, 'reversal' | 'returnReason'>>;

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly iban: string | null;
}

/** An open invoice, or an open item of an entry. */
export interface OpenInvoice {
  readonly id: string;
  /** Of an open item: that of invoices of its side. */
  readonly docType: 'SINV' | 'PINV';
  readonly isItem?: boolean;
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  /** Negative for credits. */
  readonly outstanding: Decimal;
  /** Of an invoice that is due in several parts: those that are open, by due date. */
  readonly instalments?: readonly OpenInstalment[] | null;
  readonly partner: Partner;
}

/** A registered payment of the line's amount and direction that no line shows yet. */
export interface OpenPayment {
  readonly id: string;
  readonly date: string;
  readonly reference: string | null;
  readonly partner: Partner;
}

/** A payment of the other direction that may have come back. */
export interface PaidBefore extends OpenPayment {
  readonly direction: 'in' | 'out';
  readonly amount: Decimal;
  /** The first day on which it can have come back: its own, or the last on which it settled something. */
  readonly since: string;
  /** As in orders to the bank, in lower case. */
  readonly ids: readonly string[];
}

/** An order to the bank, or one of its batches, of the line's amount and direction that no line shows yet. */
export interface OpenOrder {
  readonly id: string;
  /** null for the whole order. */
  readonly batch: number | null;
  readonly kind: 'credit_transfers' | 'direct_debits' | 'salaries';
  /** As in the message, in lower case. */
  readonly messageId: string;
  readonly date: string;
  readonly count: number;
  readonly total: Decimal;
  /** The first payments or debits of the order. */
  readonly items: readonly OrderedItem[];
}

export interface OrderedItem {
  readonly paymentId: string | null;
  readonly documentId: string | null;
  readonly documentCode: string | null;
  readonly partnerName: string;
  readonly amount: Decimal;
}

/** A rule of the company that the line fits. */
export interface SuggestedRule {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly accountCode: string;
  readonly taxGroupId: string | null;
  readonly partnerId: string | null;
  readonly partnerName: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly entryText: string | null;
}

export interface Suggestion {
  /** The payment that the line shows; null if one would be registered for the invoices. */
  readonly payment: OpenPayment | null;
  /** The payment that came back. */
  readonly returned?: PaidBefore;
  readonly invoices: readonly OpenInvoice[];
  /** Number of the only invoice's instalment that the line has the amount of; null for none. */
  readonly instalment: number | null;
  /** The order whose payments the bank has booked as one sum. */
  readonly order: OpenOrder | null;
  /** The rule that says which account the amount is booked on. */
  readonly rule: SuggestedRule | null;
  /** null for an order, which has several. */
  readonly partner: Partner | null;
  /** 0 to 100; from 90 on there is hardly a doubt. */
  readonly score: number;
  /** In words, for the person who decides. */
  readonly reasons: readonly string[];
}

/** Evidence for a suggestion. */
export interface Evidence {
  readonly score: number;
  readonly reasons: readonly string[];
}

/**
 * The weight of each rule. For a payment, being registered already counts, and so does a close date. A rule of the company comes before
 * everything but what a line names exactly.
 */
export const WEIGHT = {
  exact: 60,
  mentioned: 45,
  amount: 30,
  iban: 25,
  name: 15,
  registered: 25,
  day: 15,
  rule: 85,
} as const;
const NEAR_DAYS = 7;

/** Combines all evidence. */
export function combineEvidence(evidence: readonly Evidence[]): Evidence {
  const score = evidence.reduce((total, one) => total + one.score, 0);
  return { score: Math.min(score, 100), reasons: evidence.flatMap(({ reasons }) => reasons) };
}

export function aboutPartner(line: SuggestedLine, { name, iban }: Partner): Evidence {
  const reasons: string[] = [];
  let score = 0;
  if (iban !== null && iban === line.counterpartyIban) {
    score += WEIGHT.iban;
    reasons.push(`the IBAN belongs to ${name}`);
  }
  const likeness = similarity(name, line.counterpartyName ?? line.text ?? '');
  if (likeness >= 0.5) {
    score += Math.round(WEIGHT.name * likeness);
    reasons.push(`the name resembles ${name}`);
  }
  return { score, reasons };
}

export function aboutDay(line: SuggestedLine, date: string): Evidence {
  const daysApart = Math.abs(Date.parse(date) - Date.parse(line.date));
  if (daysApart > NEAR_DAYS * 86_400_000) return { score: 0, reasons: [] };
  return { score: WEIGHT.day, reasons: [`its date is ${date}`] };
}

/** The amount of an invoice as seen by a line: positive when money in its direction pays it, or pays back its credit. */
export function amountDue(line: SuggestedLine, { docType, outstanding }: OpenInvoice): Decimal {
  return decimal(outstanding)
    .times(docType === invoiceTypeOf(line) ? 1 : -1)
    .toFixed();
}

/** Invoice type of the line's side: sales for money in, purchases for money out. */
export function invoiceTypeOf({ amount }: SuggestedLine): 'SINV' | 'PINV' {
  return amount.startsWith('-') ? 'PINV' : 'SINV';
}
