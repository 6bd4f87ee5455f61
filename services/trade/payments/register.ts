/** Registers payments: applications, entry and events in one transaction. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { decimal, decimalPlaces, sum } from '../../../domain/money.ts';
import type { PaymentDirection, StoredRequest } from '../../../domain/trade/payments/types.ts';
import { CompanyValues } from './company-values.ts';
import { factsIn, paymentMoney } from './currency.ts';
import { lockDebts } from './debts.ts';
import { PaymentAccounts } from './entry.ts';
import { loadFacts, openPeriod, type PaymentFacts } from './facts.ts';
import { resolveLinks } from './links.ts';
import { newPayment, type PaymentRow } from './payment.ts';
import { checkRange } from './range.ts';
import type { PaymentInput } from './schemas.ts';
import { paymentEvents, settledBy, writePayments } from './write.ts';

/** Amounts below a million millions are stored exactly. */
const AMOUNT_LIMIT = '1e12';

/**
 * Registers a payment received or issued. Automatic matching is left to its workflow.
 * @returns the payment with its applications
 * @throws ServiceError validation_failed with a pointer for each fault, period_closed
 */
export async function registerPayment(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  input: PaymentInput,
): Promise<PaymentRow> {
  const { linked_documents: linked = [] } = input;
  const found = await loadFacts(trx, ctx, {
    partnerId: input.partner_id,
    bankAccountId: input.bank_account_id ?? null,
    date: input.payment_date,
  });
  const partner = checkInput(input, found);
  const period = openPeriod(found, input.payment_date, '/payment_date');
  const documents = await lockDebts(
    trx,
    linked.map((link) => link.document_id),
  );
  const amount = decimal(input.amount).toFixed();
  const { payment_date: date } = input;
  const currencies = [...new Set([...documents.values()].map(({ row }) => row.currency))];
  const money = await paymentMoney(trx, input, found, currencies);
  const facts = factsIn(found, money);
  checkAmount(input, facts);
  const resolved = resolveLinks(linked, documents, {
    direction,
    partnerId: partner.id,
    currency: money.currency,
    remaining: amount,
    date,
    facts,
  });
  const { companyPlaces } = facts;
  const links = new CompanyValues(documents).value({ ...money, amount, companyPlaces, links: [] }, resolved);
  const applied = sum(links.map((link) => link.amount)).toFixed();
  const request = storedRequest(input);
  const open = decimal(applied).lt(amount);
  const payment = newPayment(ctx, facts, {
    ...money,
    direction,
    partner,
    amount,
    appliedTotal: applied,
    date,
    periodId: period.id,
    paymentMethod: input.payment_method,
    bankAccountId: input.bank_account_id ?? null,
    reference: input.reference ?? null,
    notes: input.notes ?? null,
    reconciliation: request !== null && open ? 'pending' : null,
    reconciliationRequest: request,
    links,
  });
  const bankAccountIds = facts.bankAccount?.accountId ? [facts.bankAccount.accountId] : [];
  const accounts = await PaymentAccounts.load(trx, direction, [...documents.keys()], bankAccountIds);
  const entry = accounts.paymentEntry(payment, links, documents, {
    money: amount,
    credit: decimal(amount).minus(applied).toFixed(),
    date,
    periodId: period.id,
    bankAccount: facts.bankAccount,
  });
  await writePayments(trx, ctx, {
    inserted: [payment],
    links: links.map((link) => ({ ...link, paymentId: payment.id })),
    documents: settledBy(links, documents),
    periods: [period.id],
    events: paymentEvents(payment).map((event) => ({ paymentId: payment.id, event })),
    entries: entry === null ? [] : [entry],
  });
  return payment;
}

/** @throws ServiceError validation_failed */
function checkInput(input: PaymentInput, facts: PaymentFacts): NonNullable<PaymentFacts['partner']> {
  const faults = new Faults();
  const { partner, bankAccount } = facts;
  if (partner === null) faults.add('/partner_id', 'invalid_reference', 'refers to a partner that does not exist');
  if (decimal(input.amount).gte(AMOUNT_LIMIT))
    faults.add('/amount', 'out_of_range', 'must be less than 1,000,000,000,000');
  if (typeof input.bank_account_id === 'string' && bankAccount === null) {
    faults.add('/bank_account_id', 'invalid_reference', 'refers to a bank account that does not exist');
  }
  const { reconciliation } = input;
  if (reconciliation?.mode === 'manual' && (input.linked_documents ?? []).length === 0) {
    faults.add('/linked_documents', 'required', 'must name the documents of a manual reconciliation');
  }
  checkRange(reconciliation, '/reconciliation', faults);
  faults.throwIfAny();
  if (partner === null) throw new Error('a payment without faults has a partner');
  return partner;
}

/** @throws ServiceError validation_failed for more decimals than the currency has */
function checkAmount({ amount }: PaymentInput, { places }: PaymentFacts): void {
  if (decimalPlaces(amount) <= places) return;
  throw invalidMember('/amount', 'too_many_decimals', `must have at most ${places} decimals`);
}

/** The matching left to the workflow; null for none. A named mode takes precedence over `auto_reconcile`. */
function storedRequest({ reconciliation, auto_reconcile }: PaymentInput): StoredRequest | null {
  if (reconciliation !== undefined) {
    const { mode, ...range } = reconciliation;
    return mode === 'manual' ? null : { mode, ...range };
  }
  return auto_reconcile === true ? { mode: 'auto_reconcile' } : null;
}
