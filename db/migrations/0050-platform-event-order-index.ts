/** Finds the events of a company that were written after others, for those who poll them. */
import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently({
  name: 'outbox_polled',
  table: 'outbox',
  of: `(tenant_id, xact, seq) where event not like 'internal.%' and not test`,
});
