/** Finds full invoices by a part of their number. */
import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently({
  name: 'full_invoices_text',
  table: 'full_invoices',
  of: 'using gin (code gin_trgm_ops)',
});
