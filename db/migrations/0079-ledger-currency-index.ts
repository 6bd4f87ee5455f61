import { concurrently } from './concurrent-indexes.ts';

/** Finds what is open in other currencies, when it is revalued. */
export const up = concurrently({
  name: 'journal_lines_currency',
  table: 'journal_lines',
  of: '(tenant_id, currency, date) where currency is not null',
});
