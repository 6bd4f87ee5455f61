import { concurrently } from './concurrent-indexes.ts';

/** What uses payment terms is found without reading all partners and documents; those who have none pay nothing. */
export const up = concurrently(usedBy('partners'), usedBy('documents'));

function usedBy(table: string) {
  const of = '(tenant_id, payment_terms_id) where payment_terms_id is not null';
  return { name: `${table}_payment_terms_id`, table, of };
}
