import { concurrently } from './concurrent-indexes.ts';

/** Finds the kits in documents, when it is asked what their components are promised for. */
export const up = concurrently({
  name: 'document_lines_kits',
  table: 'document_lines',
  of: '(tenant_id, document_id) where components is not null',
});
