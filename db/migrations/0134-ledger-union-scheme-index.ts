import { concurrently } from './concurrent-indexes.ts';

/** Finds the sales that the return of the Union scheme declares. */
export const up = concurrently({
  name: 'journal_lines_union_scheme',
  table: 'journal_lines',
  of: `(tenant_id, date) where tax_operation in ('oss_goods', 'oss_services')`,
});
