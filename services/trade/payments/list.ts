/** What lists of payments know of them. */
import type { ListDefinition } from '../../../db/queries/list.ts';
import { LINK_STATUSES, PAYMENT_METHODS } from '../../../domain/trade/payments/types.ts';

/** What lists of payments filter, sort and search by; newest first. */
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
