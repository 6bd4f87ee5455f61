import { annotated, reference, tenantTable } from './schema.ts';

/** Bank statements with their lines and rules, and orders given to the bank (SEPA). */
export const up = `
  ${tenantTable(
    'bank_rules',
    'Rules that propose or accept an entry for lines of statements.',
    `
    name text not null, -- Name of the rule
    position integer not null, -- Order in which rules are tried
    active boolean not null, -- Whether it is in use
    accept boolean not null, -- Whether it enters at once; otherwise it proposes
    bank_account_id uuid, -- Account that it is limited to
    text text, -- Text that the line must contain
    direction text check (direction in ('in', 'out')), -- in or out
    amount_from numeric(20,6), -- Smallest amount
    amount_to numeric(20,6), -- Largest amount
    counterparty_id uuid, -- Partner who must be the other side
    account_id uuid not null, -- Account to enter it on
    tax_group_id uuid, -- Tax contained in the amount
    partner_id uuid, -- Partner of the entry
    project_id uuid, -- Project of the entry
    cost_center_id uuid, -- Cost centre of the entry
    entry_text text, -- Text of the entry
    constraint bank_rules_selective
      check (text is not null or counterparty_id is not null or coalesce(amount_from = amount_to, false)),
    ${reference('bank_rules', 'bank_account_id', 'bank_accounts')},
    ${reference('bank_rules', 'counterparty_id', 'partners')},
    ${reference('bank_rules', 'account_id', 'accounts')},
    ${reference('bank_rules', 'tax_group_id', 'taxes')},
    ${reference('bank_rules', 'partner_id', 'partners')},
    ${reference('bank_rules', 'project_id', 'projects')},
    ${reference('bank_rules', 'cost_center_id', 'cost_centers')}
  `,
  )}
  create index bank_rules_list on bank_rules (tenant_id, position, id);
  ${annotated('bank_rules')}

  ${tenantTable(
    'bank_statements',
    'Statements that were imported.',
    `
    bank_account_id uuid not null, -- Bank account
    -- camt053, norma43, csv, excel or ofx
    format text not null check (format in ('camt053', 'norma43', 'csv', 'excel', 'ofx')),
    file_name text, -- Name of the file
    reference text, -- Number that the bank gave the statement
    currency char(3) not null, -- Currency, ISO 4217
    from_date date not null, -- First day
    to_date date not null, -- Last day
    opening_balance numeric(20,6), -- Balance before
    closing_balance numeric(20,6), -- Balance afterwards
    fingerprint text not null, -- Hash of account, days, balances and lines, by which a repetition is recognised
    line_count integer not null, -- Lines in the statement
    new_line_count integer not null, -- Lines that were not there before
    constraint bank_statements_fingerprint unique (tenant_id, bank_account_id, fingerprint),
    ${reference('bank_statements', 'bank_account_id', 'bank_accounts')}
  `,
  )}
  create index bank_statements_list on bank_statements (tenant_id, to_date desc, id desc);

  ${tenantTable(
    'bank_statement_lines',
    'Lines of statements. A line exists once, however often it is imported.',
    `
    bank_account_id uuid not null, -- Bank account
    statement_id uuid not null, -- Statement that brought it first
    position integer not null, -- Place in the statement
    key text not null, -- Tells it from other lines of the account
    date date not null, -- Day of booking
    value_date date, -- Value date
    amount numeric(20,6) not null, -- Amount; below zero for money out
    reference text, -- Reference of the payer
    bank_reference text, -- Reference of the bank
    end_to_end_id text, -- End-to-end reference of SEPA
    counterparty_name text, -- Name of the other side
    counterparty_iban text, -- IBAN of the other side
    text text, -- Text of the bank
    reversal boolean not null, -- Whether it reverses another line
    status text not null check (status in ('open', 'matched', 'ignored')), -- open, matched or ignored
    entry_id uuid, -- Entry that it shows
    rule_id uuid, -- Rule that accepted it
    return_reason text, -- Code of the reason why a payment came back
    constraint bank_statement_lines_key unique (tenant_id, bank_account_id, key),
    constraint bank_statement_lines_entry check (entry_id is null or status = 'matched'),
    ${reference('bank_statement_lines', 'bank_account_id', 'bank_accounts')},
    ${reference('bank_statement_lines', 'statement_id', 'bank_statements')},
    ${reference('bank_statement_lines', 'entry_id', 'journal_entries')},
    ${reference('bank_statement_lines', 'rule_id', 'bank_rules')}
  `,
  )}
  create index bank_statement_lines_statement on bank_statement_lines (tenant_id, statement_id, position);
  create index bank_statement_lines_list on bank_statement_lines (tenant_id, date desc, id desc);
  create index bank_statement_lines_status on bank_statement_lines (tenant_id, status, date desc, id desc);
  create unique index bank_statement_lines_entry on bank_statement_lines (tenant_id, entry_id, bank_account_id)
    where entry_id is not null;
  create index bank_statement_lines_rule on bank_statement_lines (tenant_id, rule_id) where rule_id is not null;

  ${tenantTable(
    'bank_line_payments',
    'Payments that a line of a statement shows. A payment is shown by one line at most.',
    `
    line_id uuid not null, -- Line
    position integer not null, -- Place among the line's payments
    payment_id uuid not null, -- Payment
    constraint bank_line_payments_position unique (tenant_id, line_id, position),
    constraint bank_line_payments_payment unique (tenant_id, payment_id),
    ${reference('bank_line_payments', 'line_id', 'bank_statement_lines')},
    ${reference('bank_line_payments', 'payment_id', 'payments')}
  `,
  )}

  ${tenantTable(
    'sepa_mandates',
    'Mandates by which customers allow direct debits.',
    `
    partner_id uuid not null, -- Customer
    reference text not null, -- Unique mandate reference
    signed_on date not null, -- Day of the signature
    scheme text not null check (scheme in ('CORE', 'B2B')), -- CORE or B2B
    one_off boolean not null, -- Whether it allows a single debit
    iban text not null, -- Account that is debited
    bic text, -- BIC of its bank
    active boolean not null, -- Whether it can be used
    constraint sepa_mandates_reference unique (tenant_id, reference),
    ${reference('sepa_mandates', 'partner_id', 'partners')}
  `,
  )}
  create index sepa_mandates_partner on sepa_mandates (tenant_id, partner_id);

  ${tenantTable(
    'sepa_orders',
    'Orders given to the bank, with their files.',
    `
    -- credit_transfers, direct_debits or salaries
    kind text not null check (kind in ('credit_transfers', 'direct_debits', 'salaries')),
    message_id text not null, -- Identification of the message
    message text not null, -- Version of the message, such as pain.001.001.09
    bank_account_id uuid not null, -- Bank account of the company
    date date not null, -- Day of execution
    count integer not null, -- Number of items
    total numeric(20,6) not null, -- Sum of the items
    file_id uuid not null, -- File for the bank
    ${reference('sepa_orders', 'bank_account_id', 'bank_accounts')},
    ${reference('sepa_orders', 'file_id', 'files')}
  `,
  )}
  create index sepa_orders_list on sepa_orders (tenant_id, id desc);
  create index sepa_orders_account on sepa_orders (tenant_id, bank_account_id, date);

  ${tenantTable(
    'sepa_order_items',
    'Items of an order: what is paid or collected.',
    `
    order_id uuid not null, -- Order
    position integer not null, -- Place in the order
    end_to_end_id text not null, -- End-to-end reference
    amount numeric(20,6) not null, -- Amount
    payment_id uuid, -- Payment that is made; null once it is deleted
    document_id uuid, -- Invoice that is collected
    mandate_id uuid, -- Mandate for the debit
    batch integer not null default 1, -- Part of the message that the bank books as one sum
    instalment integer, -- Instalment of the invoice
    constraint sepa_order_items_position unique (tenant_id, order_id, position),
    ${reference('sepa_order_items', 'order_id', 'sepa_orders')},
    ${reference('sepa_order_items', 'payment_id', 'payments', 'on delete set null (payment_id)')},
    ${reference('sepa_order_items', 'document_id', 'documents')},
    ${reference('sepa_order_items', 'mandate_id', 'sepa_mandates')}
  `,
  )}
  create index sepa_order_items_payment on sepa_order_items (tenant_id, payment_id) where payment_id is not null;
  create index sepa_order_items_document on sepa_order_items (tenant_id, document_id)
    where document_id is not null;
  create index sepa_order_items_mandate on sepa_order_items (tenant_id, mandate_id) where mandate_id is not null;
`;
