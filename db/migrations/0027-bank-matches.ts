import { reference } from './schema.ts';

/** The payment that a line of a bank statement shows; each payment is shown by one line at most. */
export const up = `
  alter table bank_statement_lines
    add column payment_id uuid,
    add constraint bank_statement_lines_matched check ((status = 'matched') = (payment_id is not null)),
    add ${reference('bank_statement_lines', 'payment_id', 'payments')};
  create unique index bank_statement_lines_payment on bank_statement_lines (tenant_id, payment_id) where payment_id is not null;
`;
