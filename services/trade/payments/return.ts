/** Payments that come back: direct debits, transfers and cheques that the bank returns. What they settled is outstanding again. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { newId } from '../../../db/ids.ts';
import { invalidMember, refused } from '../../../domain/errors.ts';
import { firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entryLine, type Side } from '../../../domain/ledger/accounting/entries.ts';
import { decimal, decimalPlaces, sum } from '../../../domain/money.ts';
import { isOwed, type PaymentDirection, paymentStatus } from '../../../domain/trade/payments/types.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { factsIn } from './currency.ts';
import { type Debt, lockDebts } from './debts.ts';
import { PaymentAccounts } from './entry.ts';
import { loadFacts, openPeriod, type PaymentFacts } from './facts.ts';
import {
  type LinkRow,
  loadPayments,
  lockPayments,
  newPayment,
  onlyPayment,
  type PaymentRow,
  reversed,
  unappliedAmount,
} from './payment.ts';
import type { ReturnInput } from './schemas.ts';
import { settledBy, writePayments } from './write.ts';

export const opposite = (direction: PaymentDirection): PaymentDirection => (direction === 'in' ? 'out' : 'in');

/** The first day on which it can come back: that of the payment, or of the last that it settled. */
export function earliestReturn({ date, links }: PaymentRow): string {
  const settling = links.filter(({ docType }) => isOwed(docType));
  return [date, ...settling.map((link) => link.date)].sort().at(-1) as string;
}

/**
 * Registers that a payment came back, on a day of its own: the payment and what it settled until then stay as they were.
 * @returns the payment in the other direction that gives it back
 * @throws ServiceError not_found, validation_failed, period_closed; invalid_transition when it is returned already, or itself a return
 */
export async function returnPayment(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  id: string,
  input: ReturnInput,
): Promise<PaymentRow> {
  const seen = onlyPayment(await lockPayments(trx, [id]), direction);
  const debts = await lockDebts(trx, [...new Set(seen.links.map((link) => link.documentId))]);
  const [payment = seen] = await loadPayments(trx, [id]);
  // An invoice posted meanwhile has taken over an advance.
  if (payment.links.some((link) => !debts.has(link.documentId))) throw new ConcurrentChange();
  const bankAccountId = input.bank_account_id ?? payment.bankAccountId;
  const facts = factsIn(await loadFacts(trx, ctx, { date: input.date, bankAccountId }), payment);
  assertReturnable(payment, input, facts);
  const period = openPeriod(facts, input.date, '/date');
  const fees = decimal(input.fees ?? 0).toFixed();

  const settling = payment.links.filter(({ docType }) => isOwed(docType));
  const advances = payment.links.filter(({ docType }) => !isOwed(docType));
  const links = reversedLinks(settling, debts, input.date);
  const back = newPayment(ctx, facts, {
    direction: opposite(direction),
    partner: payment.partner,
    exchangeRate: payment.exchangeRate,
    companyAmount: payment.companyAmount,
    amount: payment.amount,
    appliedTotal: payment.amount,
    date: input.date,
    periodId: period.id,
    paymentMethod: payment.paymentMethod,
    bankAccountId,
    reference: input.reference ?? payment.reference,
    notes: input.notes ?? null,
    returns: payment.id,
    fees,
    feesBorneBy: fees === '0' ? null : (input.fees_borne_by ?? 'company'),
    links,
  });
  const next: PaymentRow = {
    ...payment,
    appliedTotal: payment.amount,
    links: settling,
    returnedBy: back.id,
    version: payment.version + 1,
    updatedAt: ctx.now.toISOString(),
  };
  await writePayments(trx, ctx, {
    inserted: [back],
    changed: [{ before: payment, next }],
    links: links.map((link) => ({ ...link, paymentId: back.id })),
    unlinked: advances.map((link) => link.id),
    documents: settledBy([...links, ...advances.map(reversed)], debts),
    periods: [period.id],
    events: [],
    entries: [await returnEntry(trx, direction, back, { debts, settling, period: period.id, facts })],
  });
  return back;
}

/** @throws ServiceError validation_failed, invalid_transition */
function assertReturnable(
  payment: PaymentRow,
  { date, fees = 0, fees_borne_by, bank_account_id }: ReturnInput,
  facts: PaymentFacts,
): void {
  if (payment.returns !== null)
    throw refused('It cannot come back because it is itself the return of a payment; delete it');
  if (payment.returnedBy !== null) throw refused('It has come back already; delete the return first');
  const earliest = earliestReturn(payment);
  if (date < earliest) {
    const what = earliest === payment.date ? 'the payment' : 'the payment has settled what it pays';
    throw invalidMember('/date', 'out_of_range', `must not be before ${what} (${earliest})`);
  }
  if (decimalPlaces(fees) > facts.places)
    throw invalidMember('/fees', 'too_many_decimals', `must have at most ${facts.places} decimals`);
  if (bank_account_id && facts.bankAccount === null)
    throw invalidMember('/bank_account_id', 'invalid_reference', 'refers to a bank account that does not exist');
  if (fees !== 0 && payment.companyAmount !== null) {
    const message = `must be left out because the payment is in ${payment.currency}; enter the bank's charge by itself`;
    throw invalidMember('/fees', 'not_allowed', message);
  }
  if (fees === 0 && fees_borne_by !== undefined)
    throw invalidMember('/fees_borne_by', 'not_allowed', 'is allowed only with fees');
}

/** Reverses links: negates the amounts that they settled. */
function reversedLinks(settling: readonly LinkRow[], debts: ReadonlyMap<string, Debt>, date: string): LinkRow[] {
  const paid = new Map([...debts].map(([id, { row }]) => [id, row.paidTotal]));
  return settling.map((link) => {
    const total = debts.get(link.documentId)?.row.total ?? '0';
    const before = paid.get(link.documentId) ?? '0';
    const { settled, companySettled } = reversed(link);
    const after = sum([before, settled]).toFixed();
    paid.set(link.documentId, after);
    const [previousStatus, newStatus] = [paymentStatus(total, before), paymentStatus(total, after)];
    return { ...link, id: newId(), date, settled, companySettled, previousStatus, newStatus, matchedBy: null };
  });
}

/** Reverses the entry of the returned payment and adds the fees: an expense of the company (626), or open with the partner. */
async function returnEntry(
  trx: Db,
  direction: PaymentDirection,
  back: PaymentRow,
  {
    debts,
    settling,
    period,
    facts,
  }: {
    readonly debts: ReadonlyMap<string, Debt>;
    readonly settling: readonly LinkRow[];
    readonly period: string;
    readonly facts: PaymentFacts;
  },
): Promise<EntryToWrite> {
  const named = facts.bankAccount?.accountId ? [facts.bankAccount.accountId] : [];
  const accounts = await PaymentAccounts.load(trx, direction, [...debts.keys()], named);
  const credit = decimal(
    unappliedAmount({ amount: back.amount, appliedTotal: sum(settling.map(({ amount }) => amount)).toFixed() }),
  );
  const entry = accounts.paymentEntry(back, [], debts, {
    money: decimal(back.amount).neg().toFixed(),
    credit: credit.neg().toFixed(),
    date: back.date,
    periodId: period,
    bankAccount: facts.bankAccount,
    undone: settling,
  });
  if (entry === null) throw new Error('a payment that comes back moves money');
  return { ...entry, currency: facts.currency, lines: [...entry.lines, ...feeLines(accounts, direction, back, facts)] };
}

function feeLines(
  accounts: PaymentAccounts,
  direction: PaymentDirection,
  back: PaymentRow,
  { bankAccount }: PaymentFacts,
): EntryLine[] {
  if (back.feesBorneBy === null) return [];
  const debit: Side = 'debit';
  const money = entryLine('credit', accounts.moneyAccount(back, bankAccount), back.fees, { money: true });
  if (back.feesBorneBy === 'company')
    return [...accounts.bankCharges(back.fees, firstDimensions(bankAccount?.dimensions)), money];
  const open = { direction, dueDate: back.date, reference: back.reference, settlesId: null };
  return [entryLine(debit, accounts.partner(), back.fees, { partnerId: back.partner.id, open }), money];
}
