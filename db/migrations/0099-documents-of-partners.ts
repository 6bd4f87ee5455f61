import { concurrently } from './concurrent-indexes.ts';

/** A partner's documents in the order of lists: a page reads its own rows alone, and the others are counted in the index. */
export const up = concurrently({
  name: 'documents_of_partner',
  table: 'documents',
  of: '(tenant_id, partner_id, doc_type, date desc, id desc)',
});
