import { concurrently } from './concurrent-indexes.ts';

const INVOICES = `doc_type in ('SINV', 'PINV')`;

/** What lists, searches, reports and checks read of a company with a million documents. Most are partial: they hold what is unfinished. */
export const up = concurrently(
  // Sorted lists, and what other programs look for.
  { name: 'documents_total', table: 'documents', of: '(tenant_id, doc_type, total desc, id desc)' },
  { name: 'documents_updated', table: 'documents', of: '(tenant_id, doc_type, updated_at desc, id desc)' },
  { name: 'documents_code', table: 'documents', of: '(tenant_id, doc_type, code desc nulls last, id desc)' },
  {
    name: 'documents_reference',
    table: 'documents',
    of: '(tenant_id, doc_type, reference) where reference is not null',
  },
  {
    name: 'documents_text',
    table: 'documents',
    of: 'using gin (code gin_trgm_ops, reference gin_trgm_ops, supplier_reference gin_trgm_ops) with (gin_pending_list_limit = 256)',
  },
  // What is owed, and what a customer may still owe.
  {
    name: 'documents_unsettled',
    table: 'documents',
    of: `(tenant_id, doc_type, partner_id) where ${INVOICES} and status in ('O', 'C') and total <> paid_total`,
  },
  {
    name: 'documents_advanced',
    table: 'documents',
    of: `(tenant_id, partner_id) where doc_type in ('SO', 'SDN', 'PO', 'PDN') and paid_total <> 0`,
  },
  { name: 'documents_unfinished', table: 'documents', of: `(tenant_id, partner_id) where status in ('D', 'O', 'P')` },
  { name: 'payments_unapplied', table: 'payments', of: '(tenant_id, partner_id) where applied_total < amount' },
  { name: 'payment_applications_date', table: 'payment_applications', of: '(tenant_id, date)' },
  // What keeps a record from being deleted is found without reading all lines; those who use none of it pay nothing.
  ...(['project_id', 'cost_center_id'] as const).map((column) => usedBy('documents', column)),
  ...(['project_id', 'cost_center_id', 'account_id', 'zone_id'] as const).map((column) =>
    usedBy('document_lines', column),
  ),
  usedBy('stock_movements', 'zone_id'),
);

function usedBy(table: string, column: string) {
  return { name: `${table}_${column}`, table, of: `(tenant_id, ${column}) where ${column} is not null` };
}
