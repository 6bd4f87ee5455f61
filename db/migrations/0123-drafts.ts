import { concurrently } from './concurrent-indexes.ts';

/** Drafts of a company by type, which daily summaries count. */
export const up = concurrently({
  name: 'documents_drafts',
  table: 'documents',
  of: `(tenant_id, doc_type) where status = 'D'`,
});
