import { concurrently } from './concurrent-indexes.ts';

/** Finds the partners that are companies of the group. */
export const up = concurrently({
  name: 'partners_company',
  table: 'partners',
  of: '(tenant_id, company_id) where company_id is not null',
});
