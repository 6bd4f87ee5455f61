/** Finds the open invoices that a payment is for, in the automatic modes, and explains why. Never applies more than is outstanding. */
import { type Decimal, decimal } from '../money.ts';
import { type Combination, uniqueCombination } from './combinations.ts';
import { afterSettling, type OpenInstalment } from './terms.ts';
import type { MatchingMode } from './types.ts';

/** The most invoices considered for one payment; with more, no combination is certain. */
export const MAX_CANDIDATES = 300;

/** An open invoice of the payment's partner with something outstanding. */
export interface OpenInvoice {
  readonly id: string;
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  /** Positive. */
  readonly outstanding: Decimal;
  /** Of an invoice that is due in several parts: those that are open, by due date. */
  readonly instalments?: readonly OpenInstalment[] | null;
}

export interface PaymentToMatch {
  /** The unapplied amount; positive. */
  readonly remaining: Decimal;
  readonly reference: string | null;
  /** There are more open invoices than are considered for combinations. */
  readonly tooMany?: boolean | undefined;
}

export interface MatchRequest {
  readonly mode: MatchingMode;
  /** Dates of invoices, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** by_amount: also several invoices that add up to the amount. */
  readonly allowCombination?: boolean | undefined;
}

/** Why nothing is linked, as codes for programs. */
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
  /** Number of the instalment that it is the amount of; null for the earliest first. */
  readonly instalment: number | null;
}

export interface Match {
  readonly links: readonly MatchedInvoice[];
  /** null where something is linked. */
  readonly reason: UnmatchedReason | null;
  /** How it matched, or why not; in words for bookkeepers. */
  readonly explanation: string;
}

/** The outcome of a payment's latest matching. */
export interface MatchOutcome extends Pick<Match, 'reason' | 'explanation'> {
  /** null where it was not recorded. */
  readonly mode: MatchingMode | null;
}

const MODES: Readonly<
  Record<MatchingMode, (payment: PaymentToMatch, open: readonly OpenInvoice[], request: MatchRequest) => Match>
> = {
  by_reference: matchReference,
  by_amount: matchAmount,
  by_date: (payment, open) => {
    if (open.length === 0) return unmatched('no_open_invoice', 'no open invoice in the range of dates');
    return settle(payment, open, 'by date, the oldest first');
  },
  auto_reconcile: matchExactly,
};

/** @param open invoices of the partner in any order; except for `by_date`, only possible matches are needed */
export function matchPayment(payment: PaymentToMatch, open: readonly OpenInvoice[], request: MatchRequest): Match {
  const { from, to, mode } = request;
  const within = open.filter(({ date }) => (from === undefined || date >= from) && (to === undefined || date <= to));
  return MODES[mode](payment, [...within].sort(byDate), request);
}

/** Normalizes a reference for comparison: case and surrounding blanks do not count. */
export function referenceKey(text: string | null): string {
  return (text ?? '').trim().toLowerCase();
}

/** Matches only without doubt: exactly one invoice has the payment's internal reference, and exactly its amount is outstanding. */
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
    return uncertain(`${same.length} open invoices of ${remaining} have the reference ${named}`, same);
  const amounts = found.map(({ code, outstanding }) => `${code}: ${decimal(outstanding).toFixed()}`);
  const message = `the payment has ${remaining} to apply, but outstanding with the reference ${named} is ${listed(amounts)}`;
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
  if (same.length > 1) return uncertain(`${same.length} open invoices of ${remaining}`, same);
  if (request.allowCombination !== true) return unmatched('no_open_invoice', `no open invoice of ${remaining}`);
  const units = (value: Decimal) => BigInt(decimal(value).times(1e6).toFixed(0));
  const amounts = open.map(({ outstanding }) => units(outstanding));
  const found: Combination =
    payment.tooMany === true || open.length >= MAX_CANDIDATES
      ? { kind: 'too_many' }
      : uniqueCombination(amounts, units(remaining));
  if (found.kind === 'one') {
    const together = found.indexes.flatMap((index) => open[index] ?? []);
    return settle(payment, together, `by amount ${remaining}, the sum of ${listed(together.map(({ code }) => code))}`);
  }
  if (found.kind === 'ambiguous')
    return unmatched('several_combinations', `several combinations of open invoices add up to ${remaining}`);
  if (found.kind === 'too_many')
    return unmatched('too_many_invoices', `too many open invoices to try all combinations that add up to ${remaining}`);
  return unmatched('no_open_invoice', `no open invoice of ${remaining} and no combination of them`);
}

/**
 * Applies what is left of the payment, in the given order.
 * @param exact whether it is just what is open of the invoice, or of one of its instalments, which is named then
 */
function settle({ remaining }: PaymentToMatch, invoices: readonly OpenInvoice[], how: string, exact = false): Match {
  let left = decimal(remaining);
  const links: MatchedInvoice[] = [];
  for (const invoice of invoices) {
    if (left.lte(0)) break;
    const amount = left.lt(invoice.outstanding) ? left : decimal(invoice.outstanding);
    links.push({ invoice, amount: amount.toFixed(), instalment: exact ? instalmentOf(invoice, remaining) : null });
    left = left.minus(amount);
  }
  const rest = left.gt(0) ? `; ${left.toFixed()} is left as credit` : '';
  return {
    links,
    reason: null,
    explanation: `matched ${how}: ${listed(links.map(inWords))}${rest}`,
  };
}

/** Whether an amount is all that is open of an invoice, or of one of its instalments. */
function isDue(invoice: OpenInvoice, amount: Decimal): boolean {
  return decimal(invoice.outstanding).eq(amount) || instalmentOf(invoice, amount) !== null;
}

/** The earliest instalment of just this amount; null for the whole invoice. */
export function instalmentOf({ outstanding, instalments }: OpenInvoice, amount: Decimal): number | null {
  if (decimal(outstanding).eq(amount)) return null;
  return instalments?.find((one) => decimal(one.outstanding).eq(amount))?.number ?? null;
}

function inWords({ invoice, instalment }: MatchedInvoice): string {
  return instalment === null ? invoice.code : `${invoice.code} (instalment ${instalment})`;
}

/** The invoice after an application of that match; null if nothing is open. */
export function afterMatch({ invoice, amount, instalment }: MatchedInvoice): OpenInvoice | null {
  const outstanding = decimal(invoice.outstanding).minus(amount);
  if (outstanding.lte(0)) return null;
  const { instalments } = invoice;
  const left = instalments && afterSettling(instalments, amount, instalment);
  return { ...invoice, outstanding: outstanding.toFixed(), ...(left ? { instalments: left } : {}) };
}

/** A match that links nothing. */
export function unmatched(reason: UnmatchedReason, message: string): Match & { readonly links: readonly [] } {
  return { links: [], reason, explanation: `not matched: ${message}` };
}

function uncertain(what: string, invoices: readonly OpenInvoice[]): Match {
  const codes = listed(invoices.map(({ code }) => code));
  return unmatched('several_invoices', `${what}: ${codes}; which one is not certain`);
}

/** The first few, so that explanations stay short. */
function listed(codes: readonly string[]): string {
  const shown = codes.slice(0, 10).join(', ');
  return codes.length > 10 ? `${shown} and ${codes.length - 10} more` : shown;
}

/** Oldest first; within a day in the order of entry, as ids do. */
function byDate(one: OpenInvoice, other: OpenInvoice): number {
  return compare(one.date, other.date) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
