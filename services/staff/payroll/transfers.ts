/**
 * Orders the transfers of paid salaries. The file names employees, so permission to read payments is not enough to get
 * it.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { creditTransferMessage, creditTransferRules } from '../../../domain/bank/sepa/credit-transfer.ts';
import { compact } from '../../../domain/bank/statements/words.ts';
import { Faults } from '../../../domain/faults.ts';
import { normalizeIban } from '../../../domain/identifiers.ts';
import type { Decimal } from '../../../domain/money.ts';
import { assertNotOrdered, loadOrderer, writeOrder } from '../../bank/sepa/order.ts';
import { payrollReference } from './entry.ts';
import { lockPayrolls } from './pay.ts';
import type { PayrollTransfers } from './schemas.ts';

/** A payroll, its payee as of its computation, and the payment. */
interface Salary {
  readonly id: string;
  readonly year: number;
  readonly month: number;
  readonly name: string;
  readonly iban: string | null;
  readonly paymentId: string | null;
  readonly method: string | null;
  readonly amount: Decimal | null;
  /** Whether the payment settles nothing else. */
  readonly isAlone: boolean;
}

const SALARIES_SQL = `
  select p.id, p.year, p.month, p.terms ->> 'employeeName' as name, p.terms ->> 'iban' as iban, p.payment_id as "paymentId",
    m.payment_method as method, m.amount::text as amount,
    (select count(*) from payment_applications a where a.payment_id = m.id) = 1 as "isAlone"
  from payrolls p left join payments m on m.id = p.payment_id where p.id = any(:ids::uuid[])`;

/**
 * Creates an order of transfers for paid payrolls, with the purpose SALA.
 * @returns the order as clients see it
 * @throws ServiceError validation_failed with a pointer for each payroll that cannot be included; duplicate when one is
 * already ordered
 */
export async function orderSalaries(trx: Db, ctx: Context, input: PayrollTransfers) {
  const { date, version = '03', repeat } = input;
  const orderer = await loadOrderer(trx, ctx, 'salaries', { date, bankAccountId: input.bankAccountId });
  const ids = input.ids.map((id) => id.toLowerCase());
  await lockPayrolls(trx, ids);
  const rows = await prepared<Salary>(trx, SALARIES_SQL, { ids });
  const salaries = new Map(rows.map((row) => [row.id, row]));
  const faults = new Faults();
  const transfers = ids.flatMap((id, index) => buildTransfer(salaries.get(id) as Salary, index, faults));
  faults.throwIfAny();
  await assertNotOrdered(
    trx,
    ctx,
    'salaries',
    transfers.map(({ paymentId, index }) => ({ id: paymentId, index, instalment: null })),
    repeat,
  );
  // The order's items name no one, but the order of the request, often by name, would reveal whose they are.
  const items = transfers.sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1));
  const { messageId, createdAt, party } = orderer;
  const initiator = { name: party.name, id: orderer.taxId };
  const sent = {
    version,
    messageId,
    createdAt,
    initiator,
    debtor: party,
    date,
    purpose: 'SALA' as const,
    transfers: items,
  };
  const name = `pain.001.001.${version}`;
  const rules = creditTransferRules(version);
  const message = creditTransferMessage(sent);
  return writeOrder(trx, ctx, { kind: 'salaries', name, orderer, date, message, rules, items });
}

function buildTransfer({ year, month, name, paymentId, ...salary }: Salary, index: number, faults: Faults) {
  const at = `/ids/${index}`;
  const iban = normalizeIban(salary.iban ?? '');
  if (paymentId === null || salary.amount === null) faults.add(at, 'not_paid', 'has no payment; pay it first');
  else if (salary.method !== 'transfer') faults.add(at, 'wrong_type', `is paid by ${salary.method}, not by transfer`);
  else if (!salary.isAlone) faults.add(at, 'wrong_type', 'is paid together with others by one payment');
  else if (iban === null) faults.add(at, 'no_iban', `is of ${name}, who had no valid IBAN when it was made`);
  else {
    const creditor = { name, iban, bic: null };
    const text = payrollReference({ year, month });
    return [{ index, paymentId, endToEndId: compact(paymentId), amount: salary.amount, creditor, text }];
  }
  return [];
}
