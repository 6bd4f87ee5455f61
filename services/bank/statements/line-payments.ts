/** Matches a line with payments, existing or registered for it. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { BankLinePayment, type BankStatementLine } from '../../../db/models/bank/statements.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { translatePointers } from '../../platform/validation/refusals.ts';
import { lockPayments, type PaymentRow } from '../../trade/payments/payment.ts';
import { registerPayment } from '../../trade/payments/register.ts';
import type { LineCurrency } from './line-currency.ts';
import type { Part, SharedPart } from './parts.ts';

const TAKEN_SQL = `select payment_id as "paymentId", line_id as "lineId" from bank_line_payments where payment_id = any(:ids::uuid[])`;

/**
 * Locks the payments that parts name.
 * @returns their amounts, signed as on the line's account: negative for outgoing payments
 * @throws ServiceError validation_failed, duplicate
 */
export async function lockNamedPayments(
  trx: Db,
  line: BankStatementLine,
  parts: readonly Part[],
  { currency, rate }: LineCurrency,
): Promise<Map<string, Decimal>> {
  const named = parts.flatMap(({ payment_id, at }) =>
    payment_id === undefined ? [] : [{ id: payment_id.toLowerCase(), at }],
  );
  if (named.length === 0) return new Map();
  const ids = named.map(({ id }) => id);
  const payments = new Map((await lockPayments(trx, ids)).map((payment) => [payment.id, payment]));
  const taken = new Map(
    (await query<{ paymentId: string; lineId: string }>(trx, TAKEN_SQL, { ids })).map((row) => [
      row.paymentId,
      row.lineId,
    ]),
  );
  const amounts = new Map<string, Decimal>();
  for (const { id, at } of named) {
    const payment = payments.get(id);
    const refuse = (code: string, message: string) => invalidMember(`${at}/payment_id`, code, message);
    if (payment === undefined) throw refuse('invalid_reference', 'refers to a payment that does not exist');
    if (named.length === 1 && parts.length === 1) assertDirection(payment, line, refuse);
    if (payment.bankAccountId !== null && payment.bankAccountId !== line.bankAccountId) {
      throw refuse('other_account', 'is of another bank account');
    }
    if (amounts.has(id)) throw refuse('duplicate', 'is named twice');
    const lineId = taken.get(id);
    if (lineId !== undefined) {
      const errors = [{ pointer: `${at}/payment_id`, code: 'duplicate', message: 'belongs to another line' }];
      throw new ServiceError('duplicate', `The payment belongs to the line ${lineId}`, { errors });
    }
    const moved = rate === null ? (payment.companyAmount ?? payment.amount) : payment.amount;
    if (rate !== null && payment.currency !== currency) {
      throw refuse('other_currency', `is in ${payment.currency}, but the bank account in ${currency}`);
    }
    amounts.set(
      id,
      decimal(moved)
        .times(payment.direction === 'in' ? 1 : -1)
        .minus(payment.fees)
        .toFixed(),
    );
  }
  return amounts;
}

function assertDirection(
  { direction }: PaymentRow,
  line: BankStatementLine,
  refuse: (code: string, message: string) => ServiceError,
): void {
  if (direction === (line.amount.startsWith('-') ? 'out' : 'in')) return;
  throw refuse(
    'wrong_type',
    direction === 'in' ? 'was received, but the money went out' : 'was issued, but the money came in',
  );
}

/**
 * Registers the payment of a part.
 * @returns its id
 * @throws ServiceError validation_failed, period_closed with pointers into the line
 */
export async function registerPart(
  trx: Db,
  ctx: Context,
  line: BankStatementLine,
  part: SharedPart,
  money: LineCurrency,
): Promise<string> {
  const { partner_id = '', documents = [], amount, text } = part;
  const direction = decimal(amount).lt(0) ? 'out' : 'in';
  const payment = await registerPayment(trx, ctx, direction, {
    partner_id,
    ...(await movedMoney(trx, part, money)),
    payment_date: line.date,
    payment_method: 'transfer',
    bank_account_id: line.bankAccountId,
    reference: line.reference ?? line.endToEndId ?? line.bankReference,
    notes: text ?? line.text,
    linked_documents: documents,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? translatePointers(error, (pointer) => pointerInLine(pointer, part)) : error;
  });
  return payment.id;
}

/** The amount of a part's payment: the line's own, or that of the documents if these are in another currency than the company's account. */
async function movedMoney(trx: Db, { documents = [], amount: shared }: SharedPart, { currency, rate }: LineCurrency) {
  const amount = toNumber(decimal(shared).abs());
  const ids = documents.map(({ document_id: id }) => id.toLowerCase());
  const debts = rate === null && ids.length > 0 ? await query<OtherDebt>(trx, OTHER_SQL, { ids, currency }) : [];
  const [first] = debts;
  if (first === undefined) return { amount, currency };
  const left = new Map(debts.map((debt) => [debt.id, debt.outstanding]));
  const applied = documents.map(
    ({ document_id: id, amount_applied: given }) => given ?? left.get(id.toLowerCase()) ?? 0,
  );
  return { amount: toNumber(sum(applied).abs()), currency: first.currency, company_amount: amount };
}

interface OtherDebt {
  readonly id: string;
  readonly currency: string;
  readonly outstanding: Decimal;
}

const OTHER_SQL = `select id, currency, (total - paid_total)::text as outstanding from documents
  where id = any(:ids::uuid[]) and currency <> :currency`;

/** Translates a pointer into the payment to one into the line, which determines date and account. */
function pointerInLine(pointer: string, { at }: SharedPart): string {
  if (pointer.startsWith('/linked_documents')) return pointer.replace('/linked_documents', `${at}/documents`);
  if (pointer.startsWith('/partner_id')) return `${at}${pointer}`;
  if (pointer === '/amount' && at !== '') return `${at}/amount`;
  return '/line_id';
}

/** Links payments to a line. @throws ConcurrentChange when another line has been linked to one in the meantime */
export async function linkPayments(
  trx: Db,
  ctx: Context,
  lineId: string,
  paymentIds: readonly string[],
): Promise<void> {
  const rows = paymentIds.map((paymentId, index) => ({ lineId, position: index + 1, paymentId }));
  const changes = new Changes(ctx).createMissing(BankLinePayment, rows, ['paymentId']);
  const { length: linked } = await changes.write(trx, BankLinePayment);
  if (linked < rows.length) throw new ConcurrentChange();
}
