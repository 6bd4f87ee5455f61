/** Writes applications of registered payments, with the entries that move credit to the documents. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { sum } from '../../../domain/money.ts';
import type { MatchOutcome } from '../../../domain/trade/payments/match.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { CompanyValues } from './company-values.ts';
import type { Debt } from './debts.ts';
import { PaymentAccounts } from './entry.ts';
import { applicationPeriod, openPeriod, type PaymentFacts } from './facts.ts';
import { type LinkRow, outcomeMembers, type PaymentRow } from './payment.ts';
import { settledBy, writePayments } from './write.ts';

/** The requested date, else the one that follows from payment and documents. @throws ServiceError validation_failed, period_closed */
export function applicationDay(
  facts: PaymentFacts,
  payment: PaymentRow,
  documents: readonly Debt[],
  asked: string | undefined,
): { date: string; periodId: string } {
  if (asked === undefined) return applicationPeriod(facts, [payment.date, ...documents.map(({ row }) => row.date)]);
  if (asked < payment.date)
    throw invalidMember('/date', 'out_of_range', `must not be before the payment (${payment.date})`);
  return { date: asked, periodId: openPeriod(facts, asked, '/date').id };
}

/** The links to apply from one payment. */
export interface Application {
  readonly payment: PaymentRow;
  readonly links: readonly LinkRow[];
  /** Absent if nothing was matched. */
  readonly outcome?: MatchOutcome;
  readonly date: string;
  readonly periodId: string;
}

/**
 * Writes applications of registered payments, with their entries.
 * @param documents all linked ones, locked
 * @returns the payments afterwards, in the same order
 */
export async function writeApplications(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  documents: ReadonlyMap<string, Debt>,
  found: readonly Application[],
  runId?: string,
): Promise<PaymentRow[]> {
  const values = new CompanyValues(documents);
  const applications = found.map((one) => ({ ...one, links: values.value(one.payment, one.links) }));
  const made = applications.flatMap(({ links }) => links);
  const changed = applications.map(({ payment: before, links, outcome }) => {
    const next: PaymentRow = {
      ...before,
      appliedTotal: sum([before.appliedTotal, ...links.map((link) => link.amount)]).toFixed(),
      reconciliation: before.reconciliation === 'pending' ? 'done' : before.reconciliation,
      ...(outcome === undefined ? {} : outcomeMembers(outcome)),
      version: before.version + 1,
      updatedAt: ctx.now.toISOString(),
      links: [...before.links, ...links],
    };
    return { before, next };
  });
  const ids = [...new Set(made.map(({ documentId }) => documentId))];
  const accounts = ids.length === 0 ? null : await PaymentAccounts.load(trx, direction, ids);
  const entries = applications.flatMap(({ payment, links, date, periodId }) => {
    const credit = sum(links.map((link) => link.amount))
      .times(-1)
      .toFixed();
    return accounts?.paymentEntry(payment, links, documents, { money: '0', credit, date, periodId }) ?? [];
  });
  await writePayments(trx, ctx, {
    changed,
    links: applications.flatMap(({ payment, links }) => links.map((link) => ({ ...link, paymentId: payment.id }))),
    documents: settledBy(made, documents),
    periods: applications.flatMap(({ links, periodId }) => (links.length > 0 ? [periodId] : [])),
    events: [],
    ...(runId === undefined ? {} : { runId }),
    entries,
  });
  return changed.map(({ next }) => next);
}
