import { concurrently } from './concurrent-indexes.ts';

/** Finds the companies whose depreciation the service enters by itself. */
export const up = concurrently({
  name: 'settings_automatic_depreciation',
  table: 'settings',
  of: `(tenant_id) where name = 'accounting' and value -> 'automaticDepreciation' = 'true'`,
});
