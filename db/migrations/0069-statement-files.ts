/** Statements as Excel and OFX files, and what the columns of a bank's tables mean, kept for each bank account. */
export const up = `
  alter table bank_statements drop constraint bank_statements_format_check,
    add constraint bank_statements_format_check check (format in ('camt053', 'norma43', 'csv', 'excel', 'ofx'));
  alter table bank_accounts add column statement_columns jsonb;
`;
