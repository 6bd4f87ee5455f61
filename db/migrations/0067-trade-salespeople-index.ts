import { concurrently } from './concurrent-indexes.ts';

/** Finds what a salesperson is named in, when they are to be deleted, and lists their documents. */
export const up = concurrently(
  {
    name: 'partners_salesperson',
    table: 'partners',
    of: '(tenant_id, salesperson_id) where salesperson_id is not null',
  },
  {
    name: 'documents_salesperson',
    table: 'documents',
    of: '(tenant_id, salesperson_id, date) where salesperson_id is not null',
  },
  {
    name: 'document_lines_salesperson',
    table: 'document_lines',
    of: '(tenant_id, salesperson_id) where salesperson_id is not null',
  },
);
