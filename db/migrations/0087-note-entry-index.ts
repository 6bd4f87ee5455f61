import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently({
  name: 'journal_lines_note_line',
  table: 'journal_lines',
  of: '(tenant_id, note_line_id) where note_line_id is not null',
});
