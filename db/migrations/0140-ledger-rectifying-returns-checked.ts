/** Checks what the migrations before have allowed; a period may have several returns. */
export const up = `
  alter table tax_returns drop constraint tax_returns_period_key;
  alter table tax_returns validate constraint tax_returns_sequence_check;
  alter table tax_returns validate constraint tax_returns_reason_check;
`;
