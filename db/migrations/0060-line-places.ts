import { concurrently } from './concurrent-indexes.ts';

/** For the constraint that the next migration makes of it. */
export const up = concurrently({
  name: 'document_lines_place',
  table: 'document_lines',
  of: '(tenant_id, document_id, line_number)',
  unique: true,
});
