/** Automatic matching of payments with open invoices, however many payments at once, and its writing. */
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import {
  type Match,
  type MatchOutcome,
  type MatchRequest,
  matchPayment,
  unmatched,
} from '../../domain/payments/match.ts';
import type { PaymentDirection } from '../../domain/payments/types.ts';
import { lockDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type Application, applicationDay, writeApplications } from './applications.ts';
import { type Candidates, openInvoices } from './candidates.ts';
import type { PaymentFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { type LinkRow, type PaymentRow, remainingOf } from './payment.ts';

export interface Reconciled {
  readonly payment: PaymentRow;
  readonly links: readonly LinkRow[];
  /** Matched by what, or why not. */
  readonly explanation: string;
}

/**
 * Matches payments of one direction in their order and applies what is found: never more than is outstanding, never more than is left.
 * @param payments locked, each with something left
 * @returns one for each payment, in the same order
 * @throws ServiceError (unless `tolerant`) period_closed when neither the day of the payment nor today can be entered
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
    const outcomeOf = ({ reason, explanation }: Match) => ({ mode: request.mode, reason, explanation });
    const documents = found.map(({ invoice }) => locked.get(invoice.id) as LoadedDocument);
    const { refusal, ...on } = dayOf(facts, payment, documents, options);
    if (refusal !== undefined)
      return { payment, links: [], outcome: outcomeOf(unmatched('cannot_be_entered', refusal)), ...on };
    const links = found.map(({ amount }, at) => {
      const document = documents[at] as LoadedDocument;
      const settledBefore = settled.get(document.row.id) as Decimal;
      settled.set(document.row.id, decimal(settledBefore).plus(amount).toFixed());
      return newLink(document, { amount, date: on.date, settledBefore, matchedBy: request.mode });
    });
    return { payment, links, outcome: outcomeOf(match), ...on };
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
  /** Also records why nothing was found with the payment. */
  readonly tell?: boolean;
  /** Day of the entries. */
  readonly date?: string | undefined;
  readonly runId?: string;
  /** Explains that nothing can be entered, instead of refusing. */
  readonly tolerant?: boolean;
  /** Documents that the caller has locked and read since. */
  readonly locked?: ReadonlyMap<string, LoadedDocument>;
}

/** The day of the entry; nothing is entered where nothing was found. */
function dayOf(
  facts: PaymentFacts,
  payment: PaymentRow,
  documents: readonly LoadedDocument[],
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

/** Matches on what is locked: while it was not, somebody else may have paid it, and the matching is done again. */
async function lockedMatches(
  trx: Db,
  direction: PaymentDirection,
  payments: readonly PaymentRow[],
  request: MatchRequest,
  locked: Map<string, LoadedDocument>,
): Promise<Match[]> {
  for (;;) {
    const matches = await matchAll(payments, await openInvoices(trx, direction, payments, request), request);
    const needed = new Set(matches.flatMap(({ links }) => links.map(({ invoice }) => invoice.id)));
    const missing = [...needed].filter((id) => !locked.has(id));
    if (missing.length === 0) {
      for (const id of [...locked.keys()]) if (!needed.has(id)) locked.delete(id);
      return matches;
    }
    for (const [id, document] of await lockDocuments(trx, missing)) locked.set(id, document);
  }
}

/** One payment after another; what one has settled is not there for the next. */
export async function matchAll(
  payments: readonly PaymentRow[],
  open: ReadonlyMap<string, Candidates>,
  request: MatchRequest,
): Promise<Match[]> {
  const left = new Map<string, Decimal>();
  const matches: Match[] = [];
  for (const payment of payments) {
    const { invoices = [], tooMany } = open.get(payment.id) ?? {};
    const unsettled = invoices.flatMap((invoice) => {
      const outstanding = left.get(invoice.id);
      if (outstanding === undefined) return [invoice];
      return decimal(outstanding).gt(0) ? [{ ...invoice, outstanding }] : [];
    });
    const { reference } = payment;
    const match = matchPayment({ remaining: remainingOf(payment), reference, tooMany }, unsettled, request);
    for (const { invoice, amount } of match.links)
      left.set(invoice.id, decimal(invoice.outstanding).minus(amount).toFixed());
    matches.push(match);
    // Trying combinations takes a while; others have their turn between two payments.
    if (request.allowCombination === true) await setImmediate();
  }
  return matches;
}
