/** Pays net salaries: an outgoing payment for each payroll, to the partner that represents all employees. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type FieldError, invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { decimal } from '../../../domain/money.ts';
import type { PayrollStatus } from '../../../domain/staff/payroll/types.ts';
import { type LoadedItem, lockDebts, outstandingAmount } from '../../trade/payments/debts.ts';
import { PaymentAccounts } from '../../trade/payments/entry.ts';
import { loadFacts, openPeriod } from '../../trade/payments/facts.ts';
import { newLink } from '../../trade/payments/link-amounts.ts';
import { newPayment, type PaymentRow } from '../../trade/payments/payment.ts';
import { paymentEvents, settledBy, writePayments } from '../../trade/payments/write.ts';
import type { PayrollPayment } from './schemas.ts';

const NOTHING = decimal(0).toFixed();

/** A payroll, with the open item of its net pay. */
export interface PayrollItem {
  readonly id: string;
  readonly status: PayrollStatus;
  readonly paymentId: string | null;
  /** Null if nothing is to be paid. */
  readonly itemId: string | null;
}

const PAYROLLS_SQL = `select p.id, p.status, p.payment_id as "paymentId",
    (select i.id from open_items i where i.entry_id = p.entry_id) as "itemId"
  from payrolls p where p.id = any(:ids::uuid[]) order by p.id for update of p`;

/**
 * Locks the payrolls of a request.
 * @param ids in lower case
 * @throws ServiceError validation_failed with a pointer for each that is repeated or does not exist
 */
export async function lockPayrolls(trx: Db, ids: readonly string[]): Promise<Map<string, PayrollItem>> {
  const rows = await prepared<PayrollItem>(trx, PAYROLLS_SQL, { ids: [...ids] });
  const found = new Map(rows.map((row) => [row.id, row]));
  const faults = new Faults();
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) faults.add(`/ids/${index}`, 'duplicate', 'is named twice');
    else if (!found.has(id))
      faults.add(`/ids/${index}`, 'invalid_reference', 'refers to a payroll that does not exist');
  }
  faults.throwIfAny();
  return found;
}

/**
 * Pays posted payrolls, all or none.
 * @returns the payments, in the order of the ids
 * @throws ServiceError validation_failed; invalid_transition with a pointer for each that cannot be paid; period_closed
 */
export async function payPayrolls(
  trx: Db,
  ctx: Context,
  input: PayrollPayment,
): Promise<{ readonly payrollId: string; readonly payment: PaymentRow }[]> {
  const { date, bankAccountId = null } = input;
  const ids = input.ids.map((id) => id.toLowerCase());
  const payrolls = [...(await lockPayrolls(trx, ids))];
  const facts = await loadFacts(trx, ctx, { date, bankAccountId });
  if (bankAccountId !== null && facts.bankAccount === null) {
    throw invalidMember('/bankAccountId', 'invalid_reference', 'refers to a bank account that does not exist');
  }
  const period = openPeriod(facts, date, '/date');
  const debts = await lockDebts(
    trx,
    payrolls.flatMap(([, { itemId }]) => itemId ?? []),
  );
  const items = collectOpenItems(ids, new Map(payrolls), debts as ReadonlyMap<string, LoadedItem>);
  // Sorted by the payrolls' random ids: the request is often in the order of names.
  const ordered = [...ids].sort();
  const payments = ordered.map((id) => {
    const item = items.get(id) as LoadedItem;
    const amount = outstandingAmount(item);
    const { partner, paidTotal: settledBefore, reference } = item.row;
    const links = [newLink(item, { amount, date, settledBefore })];
    const members = { amount, appliedTotal: amount, date, periodId: period.id, bankAccountId, reference, links };
    return newPayment(ctx, facts, { direction: 'out', partner, paymentMethod: 'transfer', ...members });
  });
  const named = facts.bankAccount?.accountId ? [facts.bankAccount.accountId] : [];
  const accounts = await PaymentAccounts.load(trx, 'out', [], named);
  await writePayments(trx, ctx, {
    inserted: payments,
    links: payments.flatMap(({ id, links }) => links.map((link) => ({ ...link, paymentId: id }))),
    documents: settledBy(
      payments.flatMap(({ links }) => links),
      debts,
    ),
    periods: [period.id],
    events: payments.flatMap((payment) => paymentEvents(payment).map((event) => ({ paymentId: payment.id, event }))),
    entries: payments.flatMap((payment) => {
      const movement = {
        money: payment.amount,
        credit: NOTHING,
        date,
        periodId: period.id,
        bankAccount: facts.bankAccount,
      };
      return accounts.paymentEntry(payment, payment.links, debts, movement) ?? [];
    }),
  });
  const made = new Map(payments.map((payment, index) => [ordered[index], payment]));
  return ids.map((payrollId) => ({ payrollId, payment: made.get(payrollId) as PaymentRow }));
}

/**
 * Collects the open items of payrolls, by id.
 * @throws ServiceError invalid_transition with a pointer for each that cannot be paid
 */
function collectOpenItems(
  ids: readonly string[],
  payrolls: ReadonlyMap<string, PayrollItem>,
  items: ReadonlyMap<string, LoadedItem>,
): ReadonlyMap<string, LoadedItem> {
  const errors: FieldError[] = [];
  const found = ids.flatMap((id, index): [string, LoadedItem][] => {
    const payroll = payrolls.get(id) as PayrollItem;
    const item = items.get(payroll.itemId ?? '');
    const refused = (code: string, message: string) => {
      errors.push({ pointer: `/ids/${index}`, code, message });
      return [];
    };
    if (payroll.status === 'D') return refused('draft', 'is a draft; post it first');
    if (payroll.status === 'X') return refused('cancelled', 'is cancelled');
    if (payroll.paymentId !== null) return refused('paid', 'is paid already');
    if (item === undefined || decimal(outstandingAmount(item)).lte(0))
      return refused('nothing_open', 'has nothing to pay');
    return [[id, item]];
  });
  const [first] = errors;
  if (first === undefined) return new Map(found);
  throw new ServiceError('invalid_transition', `${first.pointer} ${first.message}`, { errors });
}
