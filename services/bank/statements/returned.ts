/** Finds payments that a line returns, and registers their returns when it is accepted. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import type { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { query } from '../../../db/sql.ts';
import { MAX_ALIKE } from '../../../domain/bank/statements/paid-book.ts';
import type { PaidBefore, SuggestedLine } from '../../../domain/bank/statements/suggestion.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, toNumber } from '../../../domain/money.ts';
import { translatePointers } from '../../platform/validation/refusals.ts';
import { loadPayments } from '../../trade/payments/payment.ts';
import { returnPayment } from '../../trade/payments/return.ts';
import type { AcceptedLine } from './parts.ts';

/**
 * Maximum age of the payment: unauthorised direct debits can be returned for 13 months (Directive 2015/2366, art. 71).
 */
const MAX_AGE_DAYS = 400;

/** Latest first; limited for payments that look alike. */
const PAID_SQL = `
  with known as (
    select p.id, p.direction, p.amount, p.date, p.reference, p.partner_id,
      row_number() over (partition by p.direction, p.amount order by p.date desc, p.id desc) as of_amount,
      lower(btrim(p.reference)) = any(:tokens::text[]) as named,
      row_number() over (partition by p.direction, lower(btrim(p.reference)) order by p.date desc, p.id desc) as of_reference,
      array(select lower(i.end_to_end_id) from sepa_order_items i where i.payment_id = p.id) as ids
    from payments p
    where p.direction in ('in', 'out') and p.payment_method not in ('cash', 'offset') and p.returns is null
      and p.date between :from::date - ${MAX_AGE_DAYS} and :to::date
      and (p.amount = any(:amounts::numeric[]) or lower(btrim(p.reference)) = any(:tokens::text[])
        or p.id in (select payment_id from sepa_order_items where lower(end_to_end_id) = any(:tokens::text[])))
      and not exists (select from payments b where b.returns = p.id)
  )
  select k.id, k.direction, k.amount::text, k.date, k.reference, k.ids,
    greatest(k.date, (select max(a.date) from payment_applications a left join documents d on d.id = a.document_id
      where a.payment_id = k.id and coalesce(d.doc_type in ('SINV', 'PINV'), true))) as since,
    json_build_object('id', p.id, 'name', p.name, 'iban', p.iban) as partner
  from known k join partners p on p.id = k.partner_id
  where k.of_amount <= ${MAX_ALIKE} or k.named and k.of_reference <= ${MAX_ALIKE} or k.ids && :tokens::text[]
  order by k.date desc, k.id desc`;

/** Finds payments that some of the lines may return: by amount, or by ids or references in the lines; latest first. */
export async function findReturnCandidates(
  reader: Reader,
  wanted: {
    readonly amounts: readonly Decimal[];
    readonly tokens: readonly string[];
    readonly from: string;
    readonly to: string;
  },
): Promise<PaidBefore[]> {
  const { amounts, tokens, from, to } = wanted;
  return query<PaidBefore>(reader, PAID_SQL, { amounts: [...amounts], tokens: [...tokens], from, to });
}

/** Whether a line looks like a return, by the bank's flag or wording. */
export function looksLikeReturn(line: SuggestedLine): boolean {
  return (
    line.reversal === true ||
    Boolean(line.returnReason) ||
    /\b(devol|impagad|retroces|return|reject)/i.test(line.text ?? '')
  );
}

/**
 * Registers the return of a payment by a line. The difference from the payment's amount is fees.
 * @returns the id of the return
 * @throws ServiceError validation_failed, invalid_transition, period_closed with pointers into the line
 */
export async function registerReturn(
  trx: Db,
  ctx: Context,
  line: BankStatementLine,
  way: AcceptedLine,
): Promise<string> {
  const { return_of: id = '', fees_borne_by } = way;
  const [payment] = await loadPayments(trx, [id.toLowerCase()]);
  if (payment === undefined || payment.paymentMethod === 'offset')
    throw refuse('invalid_reference', 'refers to a payment that does not exist');
  const amount = decimal(line.amount);
  const received = payment.direction === 'in';
  if (received === amount.gt(0)) {
    throw refuse(
      'wrong_type',
      received ? 'was received, and so was the line' : 'was issued, and the money went out again',
    );
  }
  const fees = received ? amount.abs().minus(payment.amount) : decimal(payment.amount).minus(amount);
  if (fees.lt(0)) {
    throw refuse(
      'other_amount',
      `is of ${decimal(payment.amount).toFixed()}, but the line of ${amount.abs().toFixed()}`,
    );
  }
  const back = await returnPayment(trx, ctx, payment.direction, payment.id, {
    date: line.date,
    bank_account_id: line.bankAccountId,
    fees: toNumber(fees.toFixed()),
    ...(fees_borne_by === undefined ? {} : { fees_borne_by }),
    notes: [line.returnReason, line.text].filter(Boolean).join(' · ').slice(0, 2000) || null,
  }).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    throw translatePointers(error, (pointer) => (pointer === '/fees_borne_by' ? pointer : '/line_id'));
  });
  return back.id;
}

const refuse = (code: string, message: string) => invalidMember('/return_of', code, message);
