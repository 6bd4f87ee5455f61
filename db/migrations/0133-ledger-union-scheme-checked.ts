/** Checks what the migration before has allowed. */
export const up = `
  alter table taxes validate constraint taxes_rate_kind_check;
  alter table tax_returns validate constraint tax_returns_model_check;
`;
