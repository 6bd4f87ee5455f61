/** Changes the applications of a registered payment, with the entries for the difference. */
import type { Db } from '../../../db/database.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { type PaymentDirection, paymentStatus } from '../../../domain/trade/payments/types.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { applicationDay } from './applications.ts';
import { CompanyValues } from './company-values.ts';
import { factsIn } from './currency.ts';
import { type Debt, lockDebts } from './debts.ts';
import { PaymentAccounts } from './entry.ts';
import { openPeriod, type PaymentFacts } from './facts.ts';
import type { LinkChanges } from './link-changes.ts';
import { resolveNamed } from './links.ts';
import { type LinkRow, type PaymentRow, reversed, unappliedAmount } from './payment.ts';
import { type PaidDocument, settledAmounts, settledBy } from './write.ts';

/** The outcome for the links that change. */
export interface Relinked {
  /** Changed and new ones. */
  readonly links: readonly LinkRow[];
  readonly unlinked: readonly LinkRow[];
  readonly documents: readonly PaidDocument[];
  readonly periods: readonly string[];
  readonly entries: readonly EntryToWrite[];
}

/**
 * Computes the changed links of a payment, and locks their documents.
 * @throws ServiceError validation_failed with a pointer for each fault, period_closed
 */
export async function relink(
  trx: Db,
  direction: PaymentDirection,
  payment: PaymentRow,
  { named, kept, removed }: LinkChanges,
  facts: PaymentFacts,
): Promise<Relinked> {
  const replaced = named.flatMap(({ replaces }) => replaces ?? []);
  const without = [...removed, ...replaced];
  const ids = [...without.map(({ documentId }) => documentId), ...named.map(({ input }) => input.document_id)];
  const documents = await lockDebts(trx, ids);
  const added = named.flatMap(({ input, replaces }) =>
    replaces === undefined ? (documents.get(input.document_id.toLowerCase()) ?? []) : [],
  );
  const day = added.length === 0 ? payment : applicationDay(facts, payment, added, undefined);
  const asked = resolveNamed(named, documents, {
    direction,
    partnerId: payment.partner.id,
    currency: payment.currency,
    remaining: sum([unappliedAmount(payment), ...without.map(({ amount }) => amount)]).toFixed(),
    date: day.date,
    facts: factsIn(facts, payment),
    without,
    single: named.length + kept.length === 1,
  });
  const resolved = new CompanyValues(documents, without).value(payment, asked, without);
  const change = [...without.map(reversed), ...resolved];
  const settled = settledAmounts(change);
  const links = resolved.map((link) => withStatus(link, documents, settled));
  const unlinked = removed.map((link) => withStatus(link, documents, settled));

  const accounts = await PaymentAccounts.load(trx, direction, [...documents.keys()]);
  const days = [...new Set([...without, ...links].map(({ date }) => date))].sort();
  const entered = days.map((date) => {
    const periodId = openPeriod(facts, date, '/linked_documents').id;
    const before = without.filter((link) => link.date === date);
    const after = links.filter((link) => link.date === date);
    const credit = sum(before.map(({ amount }) => amount)).minus(sum(after.map(({ amount }) => amount)));
    const other = payment.companyAmount !== null;
    const undone = other ? before : before.map((link) => withoutSame(link, after));
    const movement = { money: '0' as const, credit: credit.toFixed(), date, periodId, undone };
    const done = other ? after : after.map((link) => withoutSame(link, before));
    return { periodId, entry: accounts.paymentEntry(payment, done, documents, movement) };
  });
  return {
    links,
    unlinked,
    documents: settledBy(change, documents),
    periods: entered.map(({ periodId }) => periodId),
    entries: entered.flatMap(({ entry }) => entry ?? []),
  };
}

/** A link with the payment status of its document before and after the change; from now on it counts as manual. */
function withStatus(
  link: LinkRow,
  documents: ReadonlyMap<string, Debt>,
  settled: ReadonlyMap<string, Decimal>,
): LinkRow {
  const row = documents.get(link.documentId)?.row;
  if (row === undefined) throw new Error('a link without its document');
  return {
    ...link,
    previousStatus: paymentStatus(row.total, row.paidTotal),
    newStatus: paymentStatus(row.total, sum([row.paidTotal, settled.get(link.documentId) ?? '0'])),
    matchedBy: null,
  };
}

/** An unchanged discount is not entered back and forth. */
function withoutSame(link: LinkRow, others: readonly LinkRow[]): LinkRow {
  const same = others.some(
    ({ id, discount, keepWithholding }) =>
      id === link.id && keepWithholding === link.keepWithholding && decimal(discount).eq(link.discount),
  );
  return same ? { ...link, discount: '0' } : link;
}
