/** The transfers of salaries are orders of their own kind, whose files fewer people see. */
export const up = `
  alter table sepa_orders drop constraint sepa_orders_kind_check,
    add constraint sepa_orders_kind_check check (kind in ('credit_transfers', 'direct_debits', 'salaries'));
`;
