import { describe, reference, tenantTable } from './schema.ts';

const OF_LINES = `
    pending_tax_id uuid -- Tax of the cash basis that the line enters, reduces or accrues`;
const OF_DOCUMENTS = `
    cash_basis boolean not null default false -- Of an invoice: whether its tax is due, or deducted, as it is paid`;
const OF_PARTNERS = `
    cash_basis boolean not null default false -- Whether tax of its invoices is deducted as they are paid`;

const LINES_OF_ENTRIES =
  'Lines of posted entries. What a line says about taxes is here, so that reports never infer it from the account.';

/** Taxes of the cash basis, which are pending until their invoices are paid. */
export const up = `
  ${tenantTable(
    'pending_taxes',
    'Taxes of invoices under the cash basis. What is pending of them is in the lines of entries that name them.',
    `
    document_id uuid not null, -- Invoice
    kind text not null check (kind in ('output', 'input', 'surcharge')), -- What it becomes as it accrues
    account_id uuid not null, -- Account on which it is pending
    accrual_account_id uuid not null, -- Account to which it accrues
    due_on date not null, -- Last day on which it accrues: the end of the year after the operation
    use text not null, -- Use of a purchase, as in journal_lines
    rectifying boolean not null, -- Whether its invoice rectifies another
    group_id uuid, -- Tax
    rate numeric(9,4) not null, -- Percentage
    ${reference('pending_taxes', 'document_id', 'documents')},
    ${reference('pending_taxes', 'account_id', 'accounts')},
    ${reference('pending_taxes', 'accrual_account_id', 'accounts')},
    ${reference('pending_taxes', 'group_id', 'taxes')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index pending_taxes_document on pending_taxes (tenant_id, document_id);
  create index pending_taxes_due on pending_taxes (tenant_id, due_on, document_id);
  create index pending_taxes_account on pending_taxes (tenant_id, account_id);
  create index pending_taxes_accrual_account on pending_taxes (tenant_id, accrual_account_id);
  create index pending_taxes_group on pending_taxes (tenant_id, group_id) where group_id is not null;

  alter table journal_lines add column ${OF_LINES.trim().split(' -- ')[0]};
  alter table journal_lines add ${reference('journal_lines', 'pending_tax_id', 'pending_taxes')} not valid;
  alter table journal_lines drop constraint journal_lines_tax_kind_check, add constraint journal_lines_tax_kind_check
    check (tax_kind in ('output', 'input', 'surcharge', 'withholding', 'pending_output', 'pending_input', 'pending_surcharge')) not valid;
  alter table documents add column ${OF_DOCUMENTS.trim().split(' -- ')[0]};
  alter table partners add column ${OF_PARTNERS.trim().split(' -- ')[0]};
  ${describe('journal_lines', LINES_OF_ENTRIES, OF_LINES)}
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
  ${describe('partners', 'Customers and suppliers.', OF_PARTNERS)}
`;
