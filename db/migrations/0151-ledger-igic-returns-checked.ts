/** Checks what the migration before has allowed. */
export const up = 'alter table tax_returns validate constraint tax_returns_model_check;';
