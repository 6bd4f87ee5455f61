/** A suggestion for a statement line, with its evidence. */
import { type Decimal, decimal } from '../../money.ts';
import type { OpenInstalment } from '../../trade/payments/terms.ts';
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
  /** For an open item: the type of invoices on its side. */
  readonly docType: 'SINV' | 'PINV';
  readonly isItem?: boolean;
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  /** Negative for credits. */
  readonly outstanding: Decimal;
  /** Open parts of an invoice with several due dates, by date. */
  readonly instalments?: readonly OpenInstalment[] | null;
  readonly partner: Partner;
}

/** A registered payment with the line's amount and direction, and without a line yet. */
export interface OpenPayment {
  readonly id: string;
  readonly date: string;
  readonly reference: string | null;
  readonly partner: Partner;
}

/** A payment in the opposite direction that may have been returned. */
export interface PaidBefore extends OpenPayment {
  readonly direction: 'in' | 'out';
  readonly amount: Decimal;
  /** The first day on which it can be returned: its own, or the last on which it settled something. */
  readonly since: string;
  /** As in orders to the bank, in lower case. */
  readonly ids: readonly string[];
}

/** An order to the bank, or one of its batches, with the line's amount and direction, and without a line yet. */
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

/** A company rule that the line matches. */
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
  /** The payment on the line; null if one would be registered for the invoices. */
  readonly payment: OpenPayment | null;
  /** The returned payment. */
  readonly returned?: PaidBefore;
  readonly invoices: readonly OpenInvoice[];
  /** Instalment of the only invoice with the line's amount; null for none. */
  readonly instalment: number | null;
  /** The order whose payments the bank booked as one sum. */
  readonly order: OpenOrder | null;
  /** The rule that provides the account. */
  readonly rule: SuggestedRule | null;
  /** null for an order, which may have several. */
  readonly partner: Partner | null;
  /** 0 to 100; almost certain from 90 on. */
  readonly score: number;
  /** In words, for the reviewer. */
  readonly reasons: readonly string[];
}

/** Evidence for a suggestion. */
export interface Evidence {
  readonly score: number;
  readonly reasons: readonly string[];
}

/**
 * The weight of each kind of evidence. A payment counts for being registered, and for a close date. A company rule
 * outweighs everything except exact names in the line.
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

/** Combines pieces of evidence. */
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

/**
 * The amount of an invoice from the line's point of view: positive if money in its direction pays it, or refunds its
 * credit.
 */
export function amountDue(line: SuggestedLine, { docType, outstanding }: OpenInvoice): Decimal {
  return decimal(outstanding)
    .times(docType === lineInvoiceType(line) ? 1 : -1)
    .toFixed();
}

/** The invoice type of a line: sales for incoming, purchases for outgoing money. */
export function lineInvoiceType({ amount }: SuggestedLine): 'SINV' | 'PINV' {
  return amount.startsWith('-') ? 'PINV' : 'SINV';
}
