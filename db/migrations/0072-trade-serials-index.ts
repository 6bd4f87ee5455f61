import { concurrently } from './concurrent-indexes.ts';

/** Finds a serial number. */
export const up = concurrently({ name: 'batches_number', table: 'batches', of: '(tenant_id, batch_num)' });
