import { concurrently } from './concurrent-indexes.ts';

/** Sums the lines of partners by account without reading the lines themselves, and finds those of one partner. */
export const up = concurrently({
  name: 'journal_lines_partner_account',
  table: 'journal_lines',
  of: '(tenant_id, partner_id, account_id, date) include (debit, credit, kind) where partner_id is not null',
});
