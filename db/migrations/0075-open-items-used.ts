import { concurrently } from './concurrent-indexes.ts';

/** What settles an open item, and what an entry settles. */
export const up = concurrently(
  {
    name: 'payment_applications_entry',
    table: 'payment_applications',
    of: '(tenant_id, entry_id) where entry_id is not null',
  },
  {
    name: 'payment_applications_item',
    table: 'payment_applications',
    of: '(tenant_id, item_id, seq) where item_id is not null',
  },
);
