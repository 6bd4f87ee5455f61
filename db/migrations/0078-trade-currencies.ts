import { annotated, describe, reference, tenantTable } from './schema.ts';

const OF_DOCUMENTS = `
    exchange_rate numeric(24,12), -- What one unit of the company's currency is worth in its own; null if that is the company's
    company_subtotal numeric(20,6), -- Subtotal in the company's currency; null if that is its own
    company_tax_total numeric(20,6), -- Tax in the company's currency; null if that is its own
    company_withholding_amount numeric(20,6), -- Income tax withheld, likewise
    company_total numeric(20,6), -- Total, likewise
    company_paid_total numeric(20,6), -- Part of company_total that is settled`;
const OF_LINES = `
    company_amount numeric(20,6), -- Amount in the company's currency; null if that is the document's
    company_lost_tax numeric(20,6), -- Tax that cannot be deducted, likewise`;
const OF_PAYMENTS = `
    exchange_rate numeric(24,12), -- What one unit of the company's currency was worth in its own; null if that is the company's
    company_amount numeric(20,6), -- Amount in the company's currency; null if that is its own`;
const OF_APPLICATIONS = `
    company_amount numeric(20,6), -- Value of the amount at the rate of the payment; null in the company's currency
    company_settled numeric(20,6), -- Value of what is settled at the rate of the document, likewise`;
const OF_JOURNAL_LINES = `
    currency char(3), -- Currency of currency_amount, ISO 4217
    currency_amount numeric(20,6), -- The same in another currency, positive for debits; null in the company's own`;
const OF_PARTNERS = `
    currency char(3), -- Currency of its documents, ISO 4217; null for the company's`;
const OF_BANK_ACCOUNTS = `
    currency char(3), -- Currency of the account, ISO 4217; null for the company's`;

const LINES_OF_ENTRIES =
  'Lines of posted entries. What a line says about taxes is here, so that reports never infer it from the account.';

/** Columns of a description, as statements that add them. */
function added(columns: string): string {
  const names = columns.split('\n').flatMap((line) => line.split(' -- ')[0]?.trim().replace(/,$/, '') || []);
  return names.map((column) => `add column ${column}`).join(', ');
}

/** Amounts in other currencies, exchange rates and revaluations. */
export const up = `
  ${tenantTable(
    'exchange_rates',
    'Exchange rates by day.',
    `
    currency char(3) not null, -- Currency, ISO 4217
    date date not null, -- Day from which the rate counts
    rate numeric(24,12) not null check (rate > 0), -- What one unit of the company's currency is worth in this one
    source text not null default 'manual' check (source in ('manual', 'ecb')), -- Where it comes from
    constraint exchange_rates_date_key unique (tenant_id, currency, date)
  `,
    { systemGrants: 'select' },
  )}
  create index exchange_rates_list on exchange_rates (tenant_id, date, id);
  ${annotated('exchange_rates')}

  ${tenantTable(
    'exchange_revaluations',
    'Revaluations of what is open in other currencies.',
    `
    code text not null, -- Number
    date date not null, -- Day at whose rates everything open is valued
    reverse_on date, -- Day on which the entry is reversed; null if it stands
    rates jsonb not null, -- Rates by currency
    lines jsonb not null, -- What was open, with its value before and after
    gain numeric(20,6) not null, -- Sum of the gains
    loss numeric(20,6) not null, -- Sum of the losses
    entry_id uuid, -- Its entry; null if nothing differs
    reversal_id uuid, -- The entry that reverses it
    cancelled_at timestamptz, -- When it was cancelled
    created_by uuid, -- User who made it
    constraint exchange_revaluations_code_key unique (tenant_id, code),
    ${reference('exchange_revaluations', 'entry_id', 'journal_entries')},
    ${reference('exchange_revaluations', 'reversal_id', 'journal_entries')}
  `,
  )}
  create index exchange_revaluations_date on exchange_revaluations (tenant_id, date, id);
  create index exchange_revaluations_entry on exchange_revaluations (tenant_id, entry_id);
  create index exchange_revaluations_reversal on exchange_revaluations (tenant_id, reversal_id);

  alter table documents ${added(OF_DOCUMENTS)};
  alter table document_lines ${added(OF_LINES)};
  alter table payments ${added(OF_PAYMENTS)};
  alter table payment_applications ${added(OF_APPLICATIONS)};
  alter table journal_lines ${added(OF_JOURNAL_LINES)};
  alter table partners ${added(OF_PARTNERS)};
  alter table bank_accounts ${added(OF_BANK_ACCOUNTS)};
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
  ${describe('payments', 'Payments received and issued.', OF_PAYMENTS)}
  ${describe('payment_applications', 'Applications: a payment or a line of an entry settles a document or an open item.', OF_APPLICATIONS)}
  ${describe('journal_lines', LINES_OF_ENTRIES, OF_JOURNAL_LINES)}
  ${describe('partners', 'Customers and suppliers.', OF_PARTNERS)}
  ${describe('bank_accounts', 'Bank accounts of the company.', OF_BANK_ACCOUNTS)}
`;
