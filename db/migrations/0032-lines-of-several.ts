import { reference, tenantTable } from './schema.ts';

const UNFORCED = ['bank_statement_lines', 'bank_line_payments'] as const;

/**
 * A line of a bank statement may show several payments, and an entry besides: what is neither paid nor received for a document
 * goes onto accounts. A payment is shown by one line at most, an entry by one line of each bank account (a transfer between two
 * of them stands in both statements). Orders to the bank keep which of their items the bank books together.
 */
export const up = `
  ${tenantTable(
    'bank_line_payments',
    `line_id uuid not null,
     position integer not null,
     payment_id uuid not null,
     constraint bank_line_payments_position unique (tenant_id, line_id, position),
     constraint bank_line_payments_payment unique (tenant_id, payment_id),
     ${reference('bank_line_payments', 'line_id', 'bank_statement_lines')},
     ${reference('bank_line_payments', 'payment_id', 'payments')}`,
  )}
  ${UNFORCED.map((table) => `alter table ${table} no force row level security;`).join('\n')}
  insert into bank_line_payments (id, tenant_id, line_id, position, payment_id, version, created_at, updated_at)
    select gen_random_uuid(), tenant_id, id, 1, payment_id, 1, updated_at, updated_at from bank_statement_lines where payment_id is not null;
  ${UNFORCED.map((table) => `alter table ${table} force row level security;`).join('\n')}
  alter table bank_statement_lines
    drop constraint bank_statement_lines_matched,
    drop column payment_id,
    add column entry_id uuid,
    add constraint bank_statement_lines_entry check (entry_id is null or status = 'matched'),
    add ${reference('bank_statement_lines', 'entry_id', 'journal_entries')};
  create unique index bank_statement_lines_entry on bank_statement_lines (tenant_id, entry_id, bank_account_id) where entry_id is not null;

  -- What an invoice credits is looked for where money goes back.
  create index documents_open_credits on documents (tenant_id, doc_type, (total - paid_total))
    where doc_type in ('SINV', 'PINV') and status = 'O' and total < paid_total;

  -- The part of the message that the bank books as one sum.
  alter table sepa_order_items add column batch integer not null default 1;
  create index sepa_orders_account on sepa_orders (tenant_id, bank_account_id, date);
`;
