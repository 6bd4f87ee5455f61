/** Matches payments with open invoices automatically, however many at once, and writes the applications. */
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import {
  invoiceAfterMatch,
  type Match,
  type MatchOutcome,
  type MatchRequest,
  matchPayment,
  type OpenInvoice,
  unmatched,
} from '../../../domain/trade/payments/match.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { type Application, applicationDay, writeApplications } from './applications.ts';
import { type Candidates, openInvoices } from './candidates.ts';
import { type Debt, lockDebts } from './debts.ts';
import type { PaymentFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { type LinkRow, type PaymentRow, unappliedAmount } from './payment.ts';

export interface Reconciled {
  readonly payment: PaymentRow;
  readonly links: readonly LinkRow[];
  /** The invoices that matched, or the reason why none did. */
  readonly explanation: string;
}

/**
 * Matches payments of one direction in order and applies what is found: never more than is outstanding, never more than is left.
 * @param payments locked, each with something left
 * @returns one for each payment, in the same order
 * @throws ServiceError (unless `tolerant`) period_closed when neither the payment's date nor today is open
 */
export async function reconcilePayments(
  trx: Db,
  ctx: Context,
  facts: PaymentFacts,
  direction: PaymentDirection,
  payments: readonly PaymentRow[],
  request: MatchRequest,
  options: Options = {},
): Promise<Reconciled[]> {
  const locked = new Map(options.locked);
  const matches = await lockedMatches(trx, direction, payments, request, locked);
  const settled = new Map([...locked].map(([id, { row }]) => [id, row.paidTotal]));
  const decided = payments.map((payment, index): Application & { readonly outcome: MatchOutcome } => {
    const match = matches[index] as Match;
    const { links: found } = match;
    const toOutcome = ({ reason, explanation }: Match) => ({ mode: request.mode, reason, explanation });
    const documents = found.map(({ invoice }) => locked.get(invoice.id) as Debt);
    const { refusal, ...on } = entryDay(facts, payment, documents, options);
    if (refusal !== undefined)
      return { payment, links: [], outcome: toOutcome(unmatched('cannot_be_entered', refusal)), ...on };
    const links = found.map(({ amount, instalment }, at) => {
      const document = documents[at] as Debt;
      const settledBefore = settled.get(document.row.id) as Decimal;
      settled.set(document.row.id, decimal(settledBefore).plus(amount).toFixed());
      return newLink(document, { amount, date: on.date, settledBefore, matchedBy: request.mode, instalment });
    });
    return { payment, links, outcome: toOutcome(match), ...on };
  });
  const toWrite = decided.filter(({ links }) => links.length > 0 || options.tell === true);
  const written =
    toWrite.length === 0 ? [] : await writeApplications(trx, ctx, direction, locked, toWrite, options.runId);
  const after = new Map(written.map((payment) => [payment.id, payment]));
  return decided.map(({ payment, links, outcome: { explanation } }) => ({
    payment: after.get(payment.id) ?? payment,
    links,
    explanation,
  }));
}

interface Options {
  /** Records in the payment why nothing was found, too. */
  readonly tell?: boolean;
  /** Date of the entries. */
  readonly date?: string | undefined;
  readonly runId?: string;
  /** Returns an explanation instead of throwing when nothing can be entered. */
  readonly tolerant?: boolean;
  /** Documents that the caller has locked and then read. */
  readonly locked?: ReadonlyMap<string, Debt>;
}

/** The day and period of the entry; the payment's own if nothing was found. */
function entryDay(
  facts: PaymentFacts,
  payment: PaymentRow,
  documents: readonly Debt[],
  { date, tolerant = false }: Options,
): { readonly date: string; readonly periodId: string; readonly refusal?: string } {
  const own = { date: payment.date, periodId: payment.periodId };
  if (documents.length === 0) return own;
  try {
    return applicationDay(facts, payment, documents, date);
  } catch (error) {
    if (!tolerant || !(error instanceof ServiceError)) throw error;
    return { ...own, refusal: error.message };
  }
}

/** Matches on locked documents. Another request may have paid one before the lock, so matching repeats until it finds only locked ones. */
async function lockedMatches(
  trx: Db,
  direction: PaymentDirection,
  payments: readonly PaymentRow[],
  request: MatchRequest,
  locked: Map<string, Debt>,
): Promise<Match[]> {
  for (;;) {
    const matches = await matchAll(payments, await openInvoices(trx, direction, payments, request), request);
    const needed = new Set(matches.flatMap(({ links }) => links.map(({ invoice }) => invoice.id)));
    const missing = [...needed].filter((id) => !locked.has(id));
    if (missing.length === 0) {
      for (const id of [...locked.keys()]) if (!needed.has(id)) locked.delete(id);
      return matches;
    }
    for (const [id, document] of await lockDebts(trx, missing)) locked.set(id, document);
  }
}

/** Matches one payment after another; what one has settled is gone for the next. */
export async function matchAll(
  payments: readonly PaymentRow[],
  open: ReadonlyMap<string, Candidates>,
  request: MatchRequest,
): Promise<Match[]> {
  const left = new Map<string, OpenInvoice | null>();
  const matches: Match[] = [];
  for (const payment of payments) {
    const { invoices = [], tooMany } = open.get(payment.id) ?? {};
    const unsettled = invoices.flatMap((invoice) => {
      const now = left.get(invoice.id);
      return now === undefined ? [invoice] : (now ?? []);
    });
    const { reference } = payment;
    const match = matchPayment({ remaining: unappliedAmount(payment), reference, tooMany }, unsettled, request);
    for (const link of match.links) left.set(link.invoice.id, invoiceAfterMatch(link));
    matches.push(match);
    // Combinations take a while to try, so others get a turn between payments.
    if (request.allowCombination === true) await setImmediate();
  }
  return matches;
}
