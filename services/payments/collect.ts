/** Registers what many debtors paid at once: one payment per invoice, as a direct debit collects it. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { DOCUMENT_STATUS } from '../../domain/documents/types.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { lockDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { PaymentAccounts } from './entry.ts';
import { loadFacts, openPeriod, type PaymentFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { newPayment, type PaymentRow } from './payment.ts';
import { paymentEvents, writePayments } from './write.ts';

/** What all payments have in common. */
interface Collection {
  readonly date: string;
  readonly bankAccountId: string;
  readonly reference: string | null;
  readonly notes: string | null;
}

/** The amount collected for one invoice; each invoice occurs once. */
export interface Collected {
  readonly documentId: string;
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
  const payments = collected.map(({ documentId, amount }) => {
    const document = documents.get(documentId);
    if (document === undefined) throw new Error('an order names an invoice that is not there');
    return paymentFor(ctx, facts, { ...collection, periodId: period.id }, document, amount);
  });
  const entries = payments.flatMap((payment) => {
    const credit = decimal(payment.amount).minus(payment.appliedTotal).toFixed();
    const movement = { money: payment.amount, credit, date: payment.date, periodId: period.id };
    return accounts.entryOf(payment, payment.links, documents, { ...movement, bankAccount: facts.bankAccount }) ?? [];
  });
  await writePayments(trx, ctx, {
    inserted: payments,
    links: payments.flatMap(({ id, links }) => links.map((link) => ({ ...link, paymentId: id }))),
    documents: payments.flatMap(({ links }) =>
      links.map(({ documentId, settled }) => ({ document: documents.get(documentId) as LoadedDocument, settled })),
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
  amount: Decimal,
): PaymentRow {
  const { row } = document;
  const outstanding = decimal(row.total).minus(row.paidTotal);
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
    links: payable ? [newLink(document, { amount: applied, date, settledBefore: row.paidTotal })] : [],
  });
}
