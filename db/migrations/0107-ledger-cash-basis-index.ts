import { concurrently } from './concurrent-indexes.ts';

/** Finds the lines that enter, reduce or accrue a tax. */
export const up = concurrently({
  name: 'journal_lines_pending_tax',
  table: 'journal_lines',
  of: '(tenant_id, pending_tax_id) where pending_tax_id is not null',
});
