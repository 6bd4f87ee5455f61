/** Orders credit transfers for outgoing payments. */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { creditTransferMessage, creditTransferRules } from '../../../domain/bank/sepa/credit-transfer.ts';
import { compact } from '../../../domain/bank/statements/words.ts';
import { Faults } from '../../../domain/faults.ts';
import { normalizeIban } from '../../../domain/identifiers.ts';
import { lockPayments } from '../../trade/payments/payment.ts';
import { assertNotOrdered, loadOrderer, writeOrder } from './order.ts';
import type { CreditTransferInput } from './schemas.ts';

interface Payee {
  readonly id: string;
  readonly name: string;
  readonly iban: string | null;
  readonly text: string | null;
}

/** The payee of a payment, with document numbers as the payee knows them: its own where given. */
const PAYEES_SQL = `select p.id, partner.name, partner.iban,
    (select string_agg(coalesce(d.supplier_reference, d.code, i.code), ' ' order by a.seq)
     from payment_applications a left join documents d on d.id = a.document_id left join open_items i on i.id = a.item_id
     where a.payment_id = p.id) as text
  from payments p join partners partner on partner.id = p.partner_id where p.id = any(:ids::uuid[])`;

/**
 * Creates an order of credit transfers.
 * @returns the order as clients see it
 * @throws ServiceError validation_failed with a pointer for each payment that cannot be included; duplicate when one is
 * already ordered
 */
export async function orderCreditTransfers(trx: Db, ctx: Context, input: CreditTransferInput) {
  const { date, version = '03' } = input;
  const orderer = await loadOrderer(trx, ctx, 'credit_transfers', { date, bankAccountId: input.bank_account_id });
  const ids = input.payment_ids.map((id) => id.toLowerCase());
  const payments = new Map((await lockPayments(trx, ids)).map((payment) => [payment.id, payment]));
  const payees = new Map((await query<Payee>(trx, PAYEES_SQL, { ids })).map((payee) => [payee.id, payee]));
  const faults = new Faults();
  const transfers = ids.flatMap((id, index) => {
    const at = `/payment_ids/${index}`;
    const [payment, payee] = [payments.get(id), payees.get(id)];
    const iban = normalizeIban(payee?.iban ?? '');
    if (payment === undefined || payee === undefined || payment.direction !== 'out') {
      faults.add(at, 'invalid_reference', 'refers to a payment issued that does not exist');
    } else if (payment.returns !== null)
      faults.add(at, 'wrong_type', 'is the return of a payment, which the bank has made');
    else if (payment.paymentMethod !== 'transfer')
      faults.add(at, 'wrong_type', `is paid by ${payment.paymentMethod}, not by transfer`);
    else if (payment.companyAmount !== null)
      faults.add(at, 'other_currency', `is in ${payment.currency}, and SEPA orders are in euros`);
    else if (iban === null) faults.add(at, 'no_iban', `goes to ${payee.name}, who has no valid IBAN`);
    else {
      const text = payment.reference ?? payee.text ?? '';
      const creditor = { name: payee.name, iban, bic: null };
      return [{ index, paymentId: id, endToEndId: compact(id), amount: payment.amount, creditor, text }];
    }
    return [];
  });
  faults.throwIfAny();
  await assertNotOrdered(
    trx,
    ctx,
    'credit_transfers',
    ids.map((id, index) => ({ id, index, instalment: null })),
    input.repeat,
  );
  const { messageId, createdAt, party } = orderer;
  const initiator = { name: party.name, id: orderer.taxId };
  const message = creditTransferMessage({ version, messageId, createdAt, initiator, debtor: party, date, transfers });
  const name = `pain.001.001.${version}`;
  const rules = creditTransferRules(version);
  return writeOrder(trx, ctx, { kind: 'credit_transfers', name, orderer, date, message, rules, items: transfers });
}
