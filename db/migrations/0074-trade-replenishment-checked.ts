/** Checks what the migration before has allowed. */
export const up = 'alter table stock_operations validate constraint stock_operations_kind_check';
