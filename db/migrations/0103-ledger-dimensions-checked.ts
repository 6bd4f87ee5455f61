/** Checks what the migration before has allowed. */
export const up = ['items', 'partners', 'employees', 'bank_accounts']
  .map(
    (table) => `
  alter table ${table} validate constraint ${table}_default_cost_center_id_fkey;
  alter table ${table} validate constraint ${table}_default_project_id_fkey;`,
  )
  .join('');
