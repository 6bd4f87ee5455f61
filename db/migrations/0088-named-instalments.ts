/** Payments, and debits ordered at the bank, may name the instalment that they are for. */
export const up = `
  alter table payment_applications add column instalment integer;
  alter table sepa_order_items add column instalment integer;
`;
