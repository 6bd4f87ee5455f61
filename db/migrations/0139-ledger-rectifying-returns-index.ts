import { concurrently } from './concurrent-indexes.ts';

/** Keeps the returns of a period apart, and finds the latest one. */
export const up = concurrently({
  name: 'tax_returns_sequence_key',
  table: 'tax_returns',
  of: '(tenant_id, model, "to", "from", sequence)',
  unique: true,
});
