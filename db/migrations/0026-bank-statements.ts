import { reference, tenantTable } from './schema.ts';

/** Statements of the company's bank accounts. A line of an account is there once, however often and in whatever file it comes. */
export const up = `
  ${tenantTable(
    'bank_statements',
    `bank_account_id uuid not null,
     format text not null check (format in ('camt053', 'norma43', 'csv')),
     file_name text,
     -- As the bank numbers it.
     reference text,
     currency char(3) not null,
     from_date date not null,
     to_date date not null,
     opening_balance numeric(20,6),
     closing_balance numeric(20,6),
     -- Of what account, days, balances and lines tell: the same statement again is known by it.
     fingerprint text not null,
     -- Lines of the statement, and those of them that were not there before.
     line_count integer not null,
     new_line_count integer not null,
     constraint bank_statements_fingerprint unique (tenant_id, bank_account_id, fingerprint),
     ${reference('bank_statements', 'bank_account_id', 'bank_accounts')}`,
  )}
  create index bank_statements_list on bank_statements (tenant_id, to_date desc, id desc);

  ${tenantTable(
    'bank_statement_lines',
    `bank_account_id uuid not null,
     statement_id uuid not null,
     position integer not null,
     -- What tells it from the other lines of its account.
     key text not null,
     date date not null,
     value_date date,
     amount numeric(20,6) not null,
     reference text,
     bank_reference text,
     end_to_end_id text,
     counterparty_name text,
     counterparty_iban text,
     text text,
     reversal boolean not null,
     status text not null check (status in ('open', 'matched', 'ignored')),
     constraint bank_statement_lines_key unique (tenant_id, bank_account_id, key),
     ${reference('bank_statement_lines', 'bank_account_id', 'bank_accounts')},
     ${reference('bank_statement_lines', 'statement_id', 'bank_statements')}`,
  )}
  create index bank_statement_lines_statement on bank_statement_lines (tenant_id, statement_id, position);
  create index bank_statement_lines_list on bank_statement_lines (tenant_id, date desc, id desc);
  create index bank_statement_lines_status on bank_statement_lines (tenant_id, status, date desc, id desc);
`;
