/** What a line of a statement may be: open invoices that its reference, partner or amount speak for, with the reasons. */
import { type Decimal, decimal, sum } from '../money.ts';
import type { StatementLine } from './statement.ts';

export type SuggestedLine = Pick<
  StatementLine,
  'date' | 'amount' | 'reference' | 'endToEndId' | 'text' | 'counterpartyName' | 'counterpartyIban'
>;

/** An open invoice. */
export interface OpenInvoice {
  readonly id: string;
  readonly docType: 'SINV' | 'PINV';
  readonly code: string;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly date: string;
  readonly outstanding: Decimal;
  readonly partner: { readonly id: string; readonly name: string; readonly iban: string | null };
}

/** A payment that is registered and that no line shows yet, of the line's amount and direction. */
export interface OpenPayment {
  readonly id: string;
  readonly date: string;
  readonly reference: string | null;
  readonly partner: OpenInvoice['partner'];
}

export interface Suggestion {
  /** The payment that the line shows; null where one would be registered for the invoices. */
  readonly payment: OpenPayment | null;
  readonly invoices: readonly OpenInvoice[];
  readonly partner: OpenInvoice['partner'];
  /** 0 to 100; from 90 on there is hardly a doubt. */
  readonly score: number;
  /** In words, for who decides. */
  readonly reasons: readonly string[];
}

/** What each rule is worth. Of a payment, that it is there already speaks for it, and a near day. */
const WORTH = { exact: 60, mentioned: 45, amount: 30, iban: 25, name: 15, registered: 25, day: 15 } as const;
const NEAR_DAYS = 7;
/** Suggestions below this would be guesses. */
const LEAST = 30;
const MOST = 5;
const MAX_TOKENS = 40;
/** Invoices of one partner that a payment may be for together. */
const MAX_TOGETHER = 20;
/** Forms of companies, which are in every other name. */
const FORMS = new Set(['sl', 'slu', 'sa', 'sau', 'scp', 'cb', 'coop', 'gmbh', 'ltd', 'inc', 'sarl', 'srl', 'bv']);

/** The words of a line that may be numbers of invoices, in lower case; its references as a whole come first. */
export function tokensOf({ reference, endToEndId, text }: SuggestedLine): string[] {
  const tokens = new Set<string>();
  for (const whole of [reference, endToEndId]) if (whole !== null) tokens.add(normal(whole));
  for (const part of [reference, endToEndId, text]) {
    for (const word of normal(part ?? '').split(/[\s,;()"']+/)) {
      for (const token of [word, ...word.split(/[.:#]+/)]) {
        const bare = token.replace(/^[^\p{L}\p{N}]{1,9}|[^\p{L}\p{N}]{1,9}$/gu, '');
        if (bare.length >= 3 && /\d/.test(bare)) tokens.add(bare);
      }
    }
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

/**
 * The best suggestions first.
 * @param invoices open ones of the line's side: sales for what came in, purchases for what went out
 * @param payments of the line's amount and direction
 */
export function suggest(
  line: SuggestedLine,
  invoices: readonly OpenInvoice[],
  payments: readonly OpenPayment[] = [],
): Suggestion[] {
  const tokens = new Set(tokensOf(line));
  const whole = new Set([line.reference, line.endToEndId].flatMap((text) => (text === null ? [] : [normal(text)])));
  const amount = decimal(line.amount).abs();
  const judged = invoices.map((invoice) => {
    const known = knownBy(invoice, whole, tokens);
    const exact = amount.eq(invoice.outstanding);
    return { invoice, known, ...judge(line, [invoice], known === undefined ? [] : [known], exact) };
  });
  const together = combined(
    line,
    judged.flatMap(({ invoice, known }) => (known === undefined ? [] : [{ invoice, known }])),
  );
  const single = judged.map(({ invoice, score, reasons }): Suggestion => {
    return { payment: null, invoices: [invoice], partner: invoice.partner, score, reasons };
  });
  const registered = payments.map((payment) => judgePayment(line, payment, whole, tokens));
  return [...registered, ...together, ...single]
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score || b.invoices.length - a.invoices.length || compare(a, b))
    .slice(0, MOST);
}

interface Known {
  readonly worth: number;
  readonly reason: string;
}

function knownBy(invoice: OpenInvoice, whole: ReadonlySet<string>, tokens: ReadonlySet<string>): Known | undefined {
  const names = [
    ['number', invoice.code],
    ['reference', invoice.reference],
    ["supplier's number", invoice.supplierReference],
  ] as const;
  for (const [worth, set, verb] of [
    [WORTH.exact, whole, 'is the reference of the line'],
    [WORTH.mentioned, tokens, 'stands in the line'],
  ] as const) {
    for (const [name, value] of names) {
      if (value !== null && set.has(normal(value))) return { worth, reason: `its ${name} ${value} ${verb}` };
    }
  }
  return undefined;
}

function judgePayment(
  line: SuggestedLine,
  payment: OpenPayment,
  whole: ReadonlySet<string>,
  tokens: ReadonlySet<string>,
): Suggestion {
  const { reference, partner } = payment;
  const reasons = ['a payment of this amount is registered'];
  let score: number = WORTH.amount + WORTH.registered;
  if (whole.has(payment.id.replaceAll('-', ''))) {
    score += WORTH.exact;
    reasons.push('the line has its id, as the order to the bank gave it');
  } else if (reference !== null && (whole.has(normal(reference)) || tokens.has(normal(reference)))) {
    score += WORTH.mentioned;
    reasons.push(`its reference ${reference} stands in the line`);
  }
  if (Math.abs(Date.parse(payment.date) - Date.parse(line.date)) <= NEAR_DAYS * 86_400_000) {
    score += WORTH.day;
    reasons.push(`it is of ${payment.date}`);
  }
  const of = aboutPartner(line, partner);
  return {
    payment,
    invoices: [],
    partner,
    score: Math.min(score + of.score, 100),
    reasons: [...reasons, ...of.reasons],
  };
}

/** All invoices of a partner that the line names, where they make its amount together. */
function combined(line: SuggestedLine, named: readonly { invoice: OpenInvoice; known: Known }[]): Suggestion[] {
  const byPartner = new Map<string, { invoice: OpenInvoice; known: Known }[]>();
  for (const one of named) {
    const { id } = one.invoice.partner;
    byPartner.set(id, [...(byPartner.get(id) ?? []), one]);
  }
  return [...byPartner.values()].flatMap((group) => {
    if (group.length < 2 || group.length > MAX_TOGETHER) return [];
    const invoices = group.map(({ invoice }) => invoice);
    const total = sum(invoices.map(({ outstanding }) => outstanding));
    if (!total.eq(decimal(line.amount).abs())) return [];
    const known = group.map((one) => one.known);
    return [
      { payment: null, invoices, partner: (invoices[0] as OpenInvoice).partner, ...judge(line, invoices, known, true) },
    ];
  });
}

function judge(
  line: SuggestedLine,
  invoices: readonly OpenInvoice[],
  known: readonly Known[],
  exact: boolean,
): { score: number; reasons: string[] } {
  const [{ partner } = { partner: undefined }] = invoices;
  const reasons = known.map(({ reason }) => reason);
  let score = Math.max(0, ...known.map(({ worth }) => worth));
  if (exact) {
    score += WORTH.amount;
    reasons.push(invoices.length > 1 ? 'together they make the amount' : 'the amount is what is outstanding');
  }
  const of = partner === undefined ? { score: 0, reasons: [] } : aboutPartner(line, partner);
  return { score: Math.min(score + of.score, 100), reasons: [...reasons, ...of.reasons] };
}

function aboutPartner(
  line: SuggestedLine,
  { name, iban }: OpenInvoice['partner'],
): { score: number; reasons: string[] } {
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

/** The share of the words of a name (without the form of a company) that a text has: 0 to 1. */
export function similarity(name: string, text: string): number {
  const words = wordsOf(name);
  if (words.size === 0) return 0;
  const there = wordsOf(text);
  return [...words].filter((word) => there.has(word)).length / words.size;
}

function wordsOf(text: string): Set<string> {
  const plain = text.slice(0, 1000).normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1 && !FORMS.has(word)));
}

function normal(text: string): string {
  return text.trim().toLowerCase();
}

function compare({ invoices: [a] }: Suggestion, { invoices: [b] }: Suggestion): number {
  return (a?.date ?? '').localeCompare(b?.date ?? '') || (a?.code ?? '').localeCompare(b?.code ?? '');
}
