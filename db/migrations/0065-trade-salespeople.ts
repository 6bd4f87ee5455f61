import { annotated, describe, reference, tenantTable } from './schema.ts';

const OF_PARTNERS = `
    salesperson_id uuid, -- Salesperson of its sales`;
const OF_DOCUMENTS = `
    salesperson_id uuid, -- Salesperson of a sale`;
const OF_LINES = `
    salesperson_id uuid, -- Salesperson of the line; null for the document's
    commission_percent numeric(9,4), -- Commission on its amount that was agreed; null for that of the rates`;

/** Salespeople, the rates of their commissions, and how these are settled. */
export const up = `
  ${tenantTable(
    'salespeople',
    'Those who sell: employees, or agents who invoice their commissions.',
    `
    code text not null, -- Code
    name text not null, -- Name
    email text, -- Address for mail
    partner_id uuid, -- The supplier who invoices the commissions
    employee_id uuid, -- The employee who gets them with the pay
    active boolean not null default true, -- Whether new documents can name them
    constraint salespeople_code_key unique (tenant_id, code),
    constraint salespeople_one_payee check (num_nonnulls(partner_id, employee_id) <= 1),
    ${reference('salespeople', 'partner_id', 'partners')},
    ${reference('salespeople', 'employee_id', 'employees')}
  `,
  )}
  create index salespeople_partner on salespeople (tenant_id, partner_id) where partner_id is not null;
  create index salespeople_employee on salespeople (tenant_id, employee_id) where employee_id is not null;
  ${annotated('salespeople')}

  ${tenantTable(
    'commission_rates',
    'Commissions by salesperson, item or category, and margin.',
    `
    name text not null, -- Name
    salesperson_id uuid, -- The only salesperson that it is for
    item_id uuid, -- The only item that it is for
    category_id uuid, -- Category of the items that it is for, with those below
    min_margin_percent numeric(9,4), -- Smallest margin of a line that it applies to; null for any
    basis text not null default 'amount' check (basis in ('amount', 'margin')), -- What it is a percentage of
    percent numeric(9,4) not null check (percent between 0 and 100), -- Percentage
    valid_from date, -- First day of the invoices that it applies to
    valid_to date, -- Last day
    active boolean not null default true, -- Whether it applies
    constraint commission_rates_valid_to_check check (valid_from <= valid_to),
    constraint commission_rates_one_scope check (num_nonnulls(item_id, category_id) <= 1),
    ${reference('commission_rates', 'salesperson_id', 'salespeople')},
    ${reference('commission_rates', 'item_id', 'items')},
    ${reference('commission_rates', 'category_id', 'categories')}
  `,
  )}
  create index commission_rates_list on commission_rates (tenant_id, name, id);
  create index commission_rates_salesperson on commission_rates (tenant_id, salesperson_id) where salesperson_id is not null;
  create index commission_rates_item on commission_rates (tenant_id, item_id) where item_id is not null;
  create index commission_rates_category on commission_rates (tenant_id, category_id) where category_id is not null;
  ${annotated('commission_rates')}

  ${tenantTable(
    'commission_settlements',
    'Commissions that are paid to a salesperson together.',
    `
    code text not null, -- Number
    date date not null, -- Day of the settlement
    salesperson_id uuid not null, -- Salesperson
    up_to date not null, -- Last day of the lines that it settles
    due text not null check (due in ('invoiced', 'paid')), -- Whether lines are settled once invoiced, or once paid
    lines integer not null, -- Number of lines
    base numeric(20,6) not null, -- Sum of what the commissions are a percentage of
    total numeric(20,6) not null, -- Sum of the commissions
    document_id uuid, -- Draft of the agent's invoice
    pay_item_id uuid, -- What the employee gets with the pay
    created_by uuid, -- Who settled
    constraint commission_settlements_code_key unique (tenant_id, code),
    ${reference('commission_settlements', 'salesperson_id', 'salespeople')}
  `,
  )}
  create index commission_settlements_list on commission_settlements (tenant_id, salesperson_id, date, id);
  create index commission_settlements_date on commission_settlements (tenant_id, date, id);

  ${tenantTable(
    'commission_lines',
    'Commissions that were settled, each for a line of an invoice.',
    `
    settlement_id uuid not null, -- Settlement
    line_id uuid not null, -- Line of the invoice
    sign smallint not null check (sign in (1, -1)), -- -1 for what a cancellation takes back
    basis text not null, -- What it is a percentage of
    base numeric(20,6) not null, -- That amount
    percent numeric(9,4) not null, -- Percentage
    amount numeric(20,6) not null, -- Commission
    constraint commission_lines_line_key unique (tenant_id, line_id, sign),
    ${reference('commission_lines', 'settlement_id', 'commission_settlements', 'on delete cascade')},
    ${reference('commission_lines', 'line_id', 'document_lines')}
  `,
    { versioned: false, grants: 'select, insert, delete' },
  )}
  create index commission_lines_settlement on commission_lines (tenant_id, settlement_id);

  alter table partners add column salesperson_id uuid,
    add ${reference('partners', 'salesperson_id', 'salespeople')} not valid;
  alter table documents add column salesperson_id uuid,
    add ${reference('documents', 'salesperson_id', 'salespeople')} not valid;
  alter table document_lines add column salesperson_id uuid,
    add column commission_percent numeric(9,4)
      constraint document_lines_commission_percent_check check (commission_percent between 0 and 100),
    add ${reference('document_lines', 'salesperson_id', 'salespeople')} not valid;
  ${describe('partners', 'Customers and suppliers.', OF_PARTNERS)}
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
`;
