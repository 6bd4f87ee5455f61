import { concurrently } from './concurrent-indexes.ts';

const defaults = (table: string, of: 'cost_center' | 'project') => ({
  name: `${table}_default_${of}`,
  table,
  of: `(tenant_id, default_${of}_id) where default_${of}_id is not null`,
});

/** Finds whose default a cost center or a project is, when it is to be deleted. */
export const up = concurrently(
  ...['items', 'partners', 'employees', 'bank_accounts'].flatMap((table) => [
    defaults(table, 'cost_center'),
    defaults(table, 'project'),
  ]),
);
