/** Checks what the migration before has allowed. */
export const up = 'alter table stock_movements validate constraint stock_movements_landed_cost_id_fkey';
