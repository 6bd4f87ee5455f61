import { concurrently } from './concurrent-indexes.ts';

/** Also says which entries name a partner, as model 347 asks of each with taxes. */
export const up = concurrently({
  name: 'journal_lines_partner_entries',
  table: 'journal_lines',
  of: '(tenant_id, partner_id, account_id, date) include (debit, credit, kind, entry_id, line_number) where partner_id is not null',
});
