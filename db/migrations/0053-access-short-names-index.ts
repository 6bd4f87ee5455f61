/** No two companies have the same short name. */
import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently({ name: 'tenants_short_name', table: 'tenants', of: '(short_name)', unique: true });
