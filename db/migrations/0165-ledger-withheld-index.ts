import { concurrently } from './concurrent-indexes.ts';

/** Finds the few lines with income tax withheld without reading all lines with taxes. */
export const up = concurrently({
  name: 'journal_lines_withheld',
  table: 'journal_lines',
  of: "(tenant_id, date) where tax_kind = 'withholding'",
});
