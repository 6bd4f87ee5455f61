import { concurrently } from './concurrent-indexes.ts';

/** Lists of invoices received by the suppliers' dates; see migration 0066 for those by the date of entry. */
export const up = concurrently({
  name: 'documents_document_date',
  table: 'documents',
  of: '(tenant_id, doc_type, document_date, id) where document_date is not null',
});
