/**
 * Finds the open invoices that a payment is for in the automatic modes, and explains the decision. Never applies more
 * than is outstanding.
 */
import { type Decimal, decimal } from '../../money.ts';
import { type Combination, uniqueCombination } from './combinations.ts';
import { type OpenInstalment, settleOpenInstalments } from './terms.ts';
import type { MatchingMode } from './types.ts';

/** Maximum number of invoices considered for one payment; with more, no combination is certain. */
export const MAX_CANDIDATES = 300;

/** An invoice of the payment's partner with an outstanding amount. */
export interface OpenInvoice {
  readonly id: string;
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  /** Positive. */
  readonly outstanding: Decimal;
  /** Open instalments by due date, if the invoice is due in several parts. */
  readonly instalments?: readonly OpenInstalment[] | null;
}

export interface PaymentToMatch {
  /** The unapplied amount; positive. */
  readonly remaining: Decimal;
  readonly reference: string | null;
  /** Whether there are more open invoices than are considered for combinations. */
  readonly tooMany?: boolean | undefined;
}

export interface MatchRequest {
  readonly mode: MatchingMode;
  /** Range of invoice dates, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** by_amount: whether several invoices may add up to the amount. */
  readonly allowCombination?: boolean | undefined;
}

/** Reason codes for an unmatched payment. */
export const UNMATCHED_REASONS = [
  'no_reference',
  'no_open_invoice',
  'different_amount',
  'several_invoices',
  'several_combinations',
  'too_many_invoices',
  'cannot_be_entered',
  'already_applied',
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

export interface MatchedInvoice {
  readonly invoice: OpenInvoice;
  readonly amount: Decimal;
  /** Number of the instalment with this amount; null to settle the earliest first. */
  readonly instalment: number | null;
}

export interface Match {
  readonly links: readonly MatchedInvoice[];
  /** null if something is linked. */
  readonly reason: UnmatchedReason | null;
  /** Explanation for bookkeepers of the match, or of why there is none. */
  readonly explanation: string;
}

/** The outcome of a payment's last matching. */
export interface MatchOutcome extends Pick<Match, 'reason' | 'explanation'> {
  /** null if it was not recorded. */
  readonly mode: MatchingMode | null;
}

const MODES: Readonly<
  Record<MatchingMode, (payment: PaymentToMatch, open: readonly OpenInvoice[], request: MatchRequest) => Match>
> = {
  by_reference: matchReference,
  by_amount: matchAmount,
  by_date: (payment, open) => {
    if (open.length === 0) return unmatched('no_open_invoice', 'no open invoice in the date range');
    return settle(payment, open, 'by date, the oldest first');
  },
  auto_reconcile: matchExactly,
};

/**
 * Matches a payment to open invoices.
 * @param open invoices of the partner in any order; modes other than `by_date` need only possible matches
 */
export function matchPayment(payment: PaymentToMatch, open: readonly OpenInvoice[], request: MatchRequest): Match {
  const { from, to, mode } = request;
  const within = open.filter(({ date }) => (from === undefined || date >= from) && (to === undefined || date <= to));
  return MODES[mode](payment, [...within].sort(byDate), request);
}

/** Normalizes a reference for comparison, ignoring case and surrounding blanks. */
export function referenceKey(text: string | null): string {
  return (text ?? '').trim().toLowerCase();
}

/**
 * Matches only if certain: exactly one invoice has the payment's internal reference, and its outstanding amount is
 * exactly the payment's.
 */
function matchExactly(payment: PaymentToMatch, open: readonly OpenInvoice[]): Match {
  const remaining = decimal(payment.remaining).toFixed();
  const named = payment.reference?.trim();
  const key = referenceKey(payment.reference);
  if (key === '') return unmatched('no_reference', 'the payment has no reference');
  const found = open.filter(({ reference }) => referenceKey(reference) === key);
  if (found.length === 0) return unmatched('no_open_invoice', `no open invoice has the reference ${named}`);
  const same = found.filter((invoice) => isDue(invoice, remaining));
  if (same.length === 1) return settle(payment, same, `by reference ${named} and amount ${remaining}`, true);
  if (same.length > 1)
    return ambiguousMatch(`${same.length} open invoices of ${remaining} have the reference ${named}`, same);
  const amounts = found.map(({ code, outstanding }) => `${code}: ${decimal(outstanding).toFixed()}`);
  const message = `the payment has ${remaining} to apply, but ${joinFirst(amounts)} is outstanding with the reference ${named}`;
  return unmatched('different_amount', message);
}

function matchReference(payment: PaymentToMatch, open: readonly OpenInvoice[]): Match {
  const key = referenceKey(payment.reference);
  if (key === '') return unmatched('no_reference', 'the payment has no reference');
  const named = open.filter(({ reference, supplierReference }) =>
    [reference, supplierReference].some((text) => referenceKey(text) === key),
  );
  const found = named.length > 0 ? named : open.filter(({ code }) => referenceKey(code) === key);
  const what = named.length > 0 ? 'reference' : 'number';
  if (found.length === 0)
    return unmatched('no_open_invoice', `no open invoice has the reference or number ${payment.reference?.trim()}`);
  const same = found.filter((invoice) => isDue(invoice, payment.remaining));
  const only = same.length === 1;
  return settle(payment, only ? same : found, `by ${what} ${payment.reference?.trim()}`, only);
}

function matchAmount(payment: PaymentToMatch, open: readonly OpenInvoice[], request: MatchRequest): Match {
  const { remaining } = payment;
  const same = open.filter((invoice) => isDue(invoice, remaining));
  if (same.length === 1) return settle(payment, same, `by amount ${remaining}`, true);
  if (same.length > 1) return ambiguousMatch(`${same.length} open invoices of ${remaining}`, same);
  if (request.allowCombination !== true) return unmatched('no_open_invoice', `no open invoice of ${remaining}`);
  const units = (value: Decimal) => BigInt(decimal(value).times(1e6).toFixed(0));
  const amounts = open.map(({ outstanding }) => units(outstanding));
  const found: Combination =
    payment.tooMany === true || open.length >= MAX_CANDIDATES
      ? { kind: 'too_many' }
      : uniqueCombination(amounts, units(remaining));
  if (found.kind === 'one') {
    const together = found.indexes.flatMap((index) => open[index] ?? []);
    return settle(
      payment,
      together,
      `by amount ${remaining}, the sum of ${joinFirst(together.map(({ code }) => code))}`,
    );
  }
  if (found.kind === 'ambiguous')
    return unmatched('several_combinations', `several combinations of open invoices add up to ${remaining}`);
  if (found.kind === 'too_many')
    return unmatched('too_many_invoices', `too many open invoices to try all combinations that add up to ${remaining}`);
  return unmatched('no_open_invoice', `no open invoice of ${remaining} and no combination of them`);
}

/**
 * Applies the rest of the payment in the given order.
 * @param exact whether it equals the open amount of the invoice, or of one of its instalments, which the match then
 * names
 */
function settle({ remaining }: PaymentToMatch, invoices: readonly OpenInvoice[], how: string, exact = false): Match {
  let left = decimal(remaining);
  const links: MatchedInvoice[] = [];
  for (const invoice of invoices) {
    if (left.lte(0)) break;
    const amount = left.lt(invoice.outstanding) ? left : decimal(invoice.outstanding);
    links.push({ invoice, amount: amount.toFixed(), instalment: exact ? findInstalment(invoice, remaining) : null });
    left = left.minus(amount);
  }
  const rest = left.gt(0) ? `; ${left.toFixed()} is left as credit` : '';
  return {
    links,
    reason: null,
    explanation: `matched ${how}: ${joinFirst(links.map(describeMatch))}${rest}`,
  };
}

/** Whether an amount settles an invoice, or one of its instalments, exactly. */
function isDue(invoice: OpenInvoice, amount: Decimal): boolean {
  return decimal(invoice.outstanding).eq(amount) || findInstalment(invoice, amount) !== null;
}

/** Finds the earliest instalment with exactly this amount; null for the whole invoice. */
export function findInstalment({ outstanding, instalments }: OpenInvoice, amount: Decimal): number | null {
  if (decimal(outstanding).eq(amount)) return null;
  return instalments?.find((one) => decimal(one.outstanding).eq(amount))?.number ?? null;
}

function describeMatch({ invoice, instalment }: MatchedInvoice): string {
  return instalment === null ? invoice.code : `${invoice.code} (instalment ${instalment})`;
}

/** The invoice once a match is applied; null if it is fully settled. */
export function invoiceAfterMatch({ invoice, amount, instalment }: MatchedInvoice): OpenInvoice | null {
  const outstanding = decimal(invoice.outstanding).minus(amount);
  if (outstanding.lte(0)) return null;
  const { instalments } = invoice;
  const left = instalments && settleOpenInstalments(instalments, amount, instalment);
  return { ...invoice, outstanding: outstanding.toFixed(), ...(left ? { instalments: left } : {}) };
}

/** Builds a match without links. */
export function unmatched(reason: UnmatchedReason, message: string): Match & { readonly links: readonly [] } {
  return { links: [], reason, explanation: `not matched: ${message}` };
}

function ambiguousMatch(what: string, invoices: readonly OpenInvoice[]): Match {
  const codes = joinFirst(invoices.map(({ code }) => code));
  return unmatched('several_invoices', `${what}: ${codes}; it is not certain which one`);
}

/** Joins the first few, so that explanations stay short. */
function joinFirst(codes: readonly string[]): string {
  const shown = codes.slice(0, 10).join(', ');
  return codes.length > 10 ? `${shown} and ${codes.length - 10} more` : shown;
}

/** Oldest first; invoices of the same day by id, which is the order of entry. */
function byDate(one: OpenInvoice, other: OpenInvoice): number {
  return compare(one.date, other.date) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
