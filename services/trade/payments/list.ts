/** Lists payments, and finds the latest. */
import type { Reader } from '../../../db/database.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { query } from '../../../db/sql.ts';
import { LINK_STATUSES, PAYMENT_METHODS, type PaymentDirection } from '../../../domain/trade/payments/types.ts';

/** Members by which lists of payments can be filtered, sorted and searched; newest first. */
export const paymentList: ListDefinition = {
  fields: {
    partner_id: { type: 'uuid', column: 'p.partner_id' },
    partner_name: { type: 'text', column: 'partner.name', searchable: true },
    amount: { type: 'number', column: 'p.amount' },
    amount_applied: { type: 'number', column: 'p.applied_total' },
    credit: { type: 'number', column: '(p.amount - p.applied_total)' },
    payment_date: { type: 'date', column: 'p.date', notNull: true },
    payment_method: { type: 'choice', column: 'p.payment_method', choices: PAYMENT_METHODS },
    bank_account_id: { type: 'uuid', column: 'p.bank_account_id' },
    reference: { type: 'text', column: 'p.reference', searchable: true },
    notes: { type: 'text', column: 'p.notes', searchable: true },
    status: {
      type: 'choice',
      column: `case when p.applied_total >= p.amount then 'linked'
        when exists (select from payment_applications a where a.payment_id = p.id) then 'partially_linked' else 'unlinked' end`,
      choices: LINK_STATUSES,
    },
    reconciliation: {
      type: 'choice',
      column: `case when p.reconciliation = 'pending' then 'pending' end`,
      choices: ['pending'],
    },
    document_id: {
      type: 'uuid',
      condition:
        'exists (select from payment_applications a where a.payment_id = p.id and ? in (a.document_id, a.item_id))',
      sortable: false,
    },
    created_by: { type: 'uuid', column: 'p.created_by' },
    created_at: { type: 'instant', column: 'p.created_at' },
    updated_at: { type: 'instant', column: 'p.updated_at' },
  },
  defaultSort: '-payment_date',
  key: 'p.id',
};

const LATEST_SQL = `select p.id from payments p where p.direction = :direction and p.payment_method <> 'offset'
    and (:documentId::uuid is null
      or exists (select from payment_applications a where a.payment_id = p.id and a.document_id = :documentId::uuid))
  order by p.date desc, p.id desc limit 1`;

/**
 * Finds the latest payment, to try out a rule on it.
 * @param documentId limits the search to payments of this document
 * @returns its id; null if there is none
 */
export async function latestPayment(
  reader: Reader,
  direction: PaymentDirection,
  documentId: string | null,
): Promise<string | null> {
  const [found] = await query<{ id: string }>(reader, LATEST_SQL, { direction, documentId });
  return found?.id ?? null;
}
