/** Payrolls are found by the entry whose open item is settled, and by what paid them. */
import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently(
  { name: 'payrolls_entry', table: 'payrolls', of: '(tenant_id, entry_id) where entry_id is not null' },
  { name: 'payrolls_payment', table: 'payrolls', of: '(tenant_id, payment_id) where payment_id is not null' },
);
