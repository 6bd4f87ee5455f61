/** Registers the payments of many debtors at once, one per invoice, as a direct debit collects them. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { lockDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { PaymentAccounts } from './entry.ts';
import { loadFacts, openPeriod, type PaymentFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { newPayment, type PaymentRow } from './payment.ts';
import { paymentEvents, settledBy, writePayments } from './write.ts';

/** Members shared by all payments. */
interface Collection {
  readonly date: string;
  readonly bankAccountId: string;
  readonly reference: string | null;
  readonly notes: string | null;
}

/** The amount collected for one invoice, or for one of its instalments; each occurs once. */
export interface Collected {
  readonly documentId: string;
  readonly instalment: number | null;
  readonly amount: Decimal;
}

/**
 * Registers direct debits that the bank has paid out. Each is applied to its invoice up to the outstanding amount; the rest becomes the
 * customer's credit.
 * @returns the payments, in the order of the invoices
 * @throws ServiceError validation_failed, period_closed
 */
export async function registerCollected(
  trx: Db,
  ctx: Context,
  collection: Collection,
  collected: readonly Collected[],
): Promise<PaymentRow[]> {
  const facts = await loadFacts(trx, ctx, collection);
  const period = openPeriod(facts, collection.date, '/payment_date');
  const ids = collected.map(({ documentId }) => documentId);
  const documents = await lockDocuments(trx, ids);
  const bankAccountIds = facts.bankAccount?.accountId ? [facts.bankAccount.accountId] : [];
  const accounts = await PaymentAccounts.load(trx, 'in', ids, bankAccountIds);
  const paid = new Map<string, Decimal>();
  const payments = collected.map((one) => {
    const document = documents.get(one.documentId);
    if (document === undefined) throw new Error('an order names an invoice that is not there');
    const settledBefore = paid.get(one.documentId) ?? document.row.paidTotal;
    const payment = paymentFor(ctx, facts, { ...collection, periodId: period.id }, document, { ...one, settledBefore });
    paid.set(one.documentId, sum([settledBefore, payment.appliedTotal]).toFixed());
    return payment;
  });
  const entries = payments.flatMap((payment) => {
    const credit = decimal(payment.amount).minus(payment.appliedTotal).toFixed();
    const movement = { money: payment.amount, credit, date: payment.date, periodId: period.id };
    return (
      accounts.paymentEntry(payment, payment.links, documents, { ...movement, bankAccount: facts.bankAccount }) ?? []
    );
  });
  await writePayments(trx, ctx, {
    inserted: payments,
    links: payments.flatMap(({ id, links }) => links.map((link) => ({ ...link, paymentId: id }))),
    documents: settledBy(
      payments.flatMap(({ links }) => links),
      documents,
    ),
    periods: [period.id],
    events: payments.flatMap((payment) => paymentEvents(payment).map((event) => ({ paymentId: payment.id, event }))),
    entries,
  });
  return payments;
}

function paymentFor(
  ctx: Context,
  facts: PaymentFacts,
  { date, bankAccountId, reference, notes, periodId }: Collection & { readonly periodId: string },
  document: LoadedDocument,
  { amount, instalment, settledBefore }: Collected & { readonly settledBefore: Decimal },
): PaymentRow {
  const { row } = document;
  const outstanding = decimal(row.total).minus(settledBefore);
  // What was paid since the order was made is not named again.
  const open = document.instalments.find(({ number }) => number === instalment)?.outstanding ?? '0';
  const named = decimal(amount).lte(open) ? instalment : null;
  const payable = row.status === DOCUMENT_STATUS.open && row.currency === facts.currency && outstanding.gt(0);
  const applied = !payable ? '0' : (outstanding.lt(amount) ? outstanding : decimal(amount)).toFixed();
  return newPayment(ctx, facts, {
    direction: 'in',
    partner: { id: row.partner.id, code: row.partner.code, name: row.partner.name },
    amount,
    appliedTotal: applied,
    date,
    periodId,
    paymentMethod: 'direct_debit',
    bankAccountId,
    reference: reference ?? row.code,
    notes,
    links: payable ? [newLink(document, { amount: applied, date, settledBefore, instalment: named })] : [],
  });
}
