/** What earlier migrations of this release made rules for new rows only holds for all: checked while others go on writing. */
const CONSTRAINTS = [
  ['documents', 'documents_pro_rata_check'],
  ['document_lines', 'document_lines_deductible_percent_check'],
  ['payment_applications', 'payment_applications_by'],
  ['payment_applications', 'payment_applications_of'],
  ['payment_applications', 'payment_applications_entry_id_fkey'],
  ['payment_applications', 'payment_applications_item_id_fkey'],
  ['payment_applications', 'payment_applications_settled_check'],
  ['payments', 'payments_fees_check'],
  ['payments', 'payments_fees_borne_by_check'],
  ['payments', 'payments_fees'],
  ['payments', 'payments_returns_fkey'],
] as const;

export const up = CONSTRAINTS.map(([table, name]) => `alter table ${table} validate constraint ${name};`).join('\n');
