import { concurrently } from './concurrent-indexes.ts';

/** A payment comes back once. */
export const up = concurrently({
  name: 'payments_returns',
  table: 'payments',
  of: '(tenant_id, returns) where returns is not null',
  unique: true,
});
