import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { annotated, customFields, reference, secureTenantTable, table, tenantTable } from './schema.ts';

/** Orders, delivery notes and invoices of sales and purchases in one set of tables, and what their papers show. */
export const up = `
  -- For searches in texts.
  create extension if not exists pg_trgm;

  ${tenantTable(
    'documents',
    'Documents: orders, delivery notes and invoices.',
    `
    -- SO, SDN, SINV, PO, PDN or PINV: order, delivery note or invoice, of sales or purchases
    doc_type text not null check (doc_type in ('SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV')),
    series_id uuid not null, -- Series that numbers it
    period_id uuid not null, -- Period of its date
    number integer, -- Number in the series; null for a draft
    code text, -- Full number with prefix and suffix; null for a draft
    -- D (draft), O (open), P (partly taken), C (closed) or X (cancelled)
    status char(1) not null check (status in ('D', 'O', 'P', 'C', 'X')),
    -- pending, partial, paid or overpaid; null where nothing is paid
    payment_status text check (payment_status in ('pending', 'partial', 'paid', 'overpaid')),
    partner_id uuid not null, -- Customer or supplier
    date date not null, -- Date of the document; of a purchase invoice the day on which it is entered
    due_date date, -- Day on which it is due; the last one where it is due in instalments
    warehouse_id uuid, -- Warehouse of lines that name none
    reference text, -- Reference of the customer
    supplier_reference text, -- Number that the supplier gave the document
    notes text, -- Notes that are printed
    billing_address jsonb, -- Billing address
    shipping_address jsonb, -- Shipping address
    vat_regime text not null, -- How its lines are taxed unless they say otherwise
    withholding_rate numeric(9,4) not null default 0, -- Percentage of income tax withheld
    currency char(3) not null, -- Currency, ISO 4217
    subtotal numeric(20,6) not null, -- Sum of the lines before taxes
    discount_total numeric(20,6) not null, -- Sum of the discounts
    tax_total numeric(20,6) not null, -- Sum of the taxes
    withholding_amount numeric(20,6) not null default 0, -- Income tax withheld
    total numeric(20,6) not null, -- Amount due
    paid_total numeric(20,6) not null default 0, -- Sum of what payments and entries have settled
    created_by uuid, -- User who created it
    posted_at timestamptz, -- When it was posted
    cancelled_at timestamptz, -- When it was cancelled
    custom jsonb not null default '{}', -- Values of custom fields, by storage key
    project_id uuid, -- Project that it is assigned to
    cost_center_id uuid, -- Cost centre that it is assigned to
    rectifies uuid, -- Invoice that it corrects
    returns uuid, -- Delivery note whose goods it takes back
    reason text, -- Reason for the correction or return
    return_stock boolean not null default false, -- Whether a rectifying invoice takes the goods back as well
    closed_at timestamptz, -- When an order was closed by hand; null again when it reopens
    sent_at timestamptz, -- When it was last sent by mail
    -- Code in lower case without surrounding blanks: an index under row-level security needs a plain column
    code_key text generated always as (lower(btrim(code))) stored,
    reference_key text generated always as (lower(btrim(reference))) stored, -- Reference in the same form
    -- Supplier's number in the same form
    supplier_key text generated always as (lower(btrim(supplier_reference))) stored,
    -- Outstanding amount in millionths, at least 0
    outstanding_key bigint generated always as ((greatest(total - paid_total, 0) * 1000000)::bigint) stored,
    internal_notes text, -- Notes that are never printed
    tags jsonb not null default '[]', -- Tags
    payment_terms_id uuid, -- Payment terms of an invoice
    -- Percentage by which a purchase's tax was deducted; null for all of it
    pro_rata numeric(9,4) check (pro_rata between 0 and 100),
    document_date date, -- Date that the supplier put on an invoice; never after date
    operation_date date, -- When the goods or services of an invoice were supplied, if that is known
    prompt_discount_percent numeric(7,4), -- Discount if an invoice is paid at once
    prompt_discount_until date, -- Last day of that discount
    -- How the company was taxed when a purchase was made: surcharge or special; null for the general regime
    deduction_regime text check (deduction_regime in ('surcharge', 'special')),
    locked_at timestamptz, -- Since when it cannot be changed
    lock_due_at timestamptz, -- When it will be locked; null once it is
    constraint documents_number_key unique (tenant_id, series_id, number),
    constraint documents_lock_check check (locked_at is null or lock_due_at is null),
    ${reference('documents', 'series_id', 'series')},
    ${reference('documents', 'period_id', 'periods')},
    ${reference('documents', 'partner_id', 'partners')},
    ${reference('documents', 'warehouse_id', 'warehouses')},
    ${reference('documents', 'project_id', 'projects')},
    ${reference('documents', 'cost_center_id', 'cost_centers')},
    ${reference('documents', 'rectifies', 'documents')},
    ${reference('documents', 'returns', 'documents')},
    ${reference('documents', 'payment_terms_id', 'payment_terms')}
  `,
  )}
  create policy documents_system on documents for select to ${SYSTEM_ROLE} using (true);
  grant select (id, tenant_id, doc_type, code, status, partner_id, lock_due_at) on documents to ${SYSTEM_ROLE};
  create index documents_list on documents (tenant_id, doc_type, date desc, id desc);
  create index documents_period on documents (tenant_id, period_id, status);
  create index documents_rectifies on documents (tenant_id, rectifies) where rectifies is not null;
  create index documents_returns on documents (tenant_id, returns) where returns is not null;
  create index documents_warehouse on documents (tenant_id, warehouse_id) where warehouse_id is not null;
  create unique index documents_supplier_reference_key on documents (tenant_id, partner_id, supplier_key)
    where doc_type = 'PINV' and status <> 'X';
  create index documents_open_code on documents (tenant_id, code_key, partner_id)
    where doc_type in ('SINV', 'PINV') and status = 'O';
  create index documents_open_reference on documents (tenant_id, reference_key, partner_id)
    where doc_type in ('SINV', 'PINV') and status = 'O' and reference_key is not null;
  create index documents_open_supplier on documents (tenant_id, supplier_key, partner_id)
    where doc_type in ('SINV', 'PINV') and status = 'O' and supplier_key is not null;
  create index documents_open_amount on documents (tenant_id, partner_id, doc_type, outstanding_key, date, id)
    where doc_type in ('SINV', 'PINV') and status = 'O' and outstanding_key > 0;
  create index documents_open_date on documents (tenant_id, partner_id, doc_type, date, id)
    where doc_type in ('SINV', 'PINV') and status = 'O' and outstanding_key > 0;
  create index documents_open on documents (id) where status in ('D', 'O', 'P');
  create index documents_total on documents (tenant_id, doc_type, total desc, id desc);
  create index documents_updated on documents (tenant_id, doc_type, updated_at desc, id desc);
  create index documents_code on documents (tenant_id, doc_type, code desc nulls last, id desc);
  create index documents_reference on documents (tenant_id, doc_type, reference) where reference is not null;
  create index documents_text on documents using gin (code gin_trgm_ops, reference gin_trgm_ops, supplier_reference gin_trgm_ops)
    with (gin_pending_list_limit = 256);
  create index documents_unsettled on documents (tenant_id, doc_type, partner_id)
    where doc_type in ('SINV', 'PINV') and status in ('O', 'C') and total <> paid_total;
  create index documents_advanced on documents (tenant_id, partner_id)
    where doc_type in ('SO', 'SDN', 'PO', 'PDN') and paid_total <> 0;
  create index documents_unfinished on documents (tenant_id, partner_id) where status in ('D', 'O', 'P');
  create index documents_project_id on documents (tenant_id, project_id) where project_id is not null;
  create index documents_cost_center_id on documents (tenant_id, cost_center_id) where cost_center_id is not null;
  create index documents_payment_terms_id on documents (tenant_id, payment_terms_id)
    where payment_terms_id is not null;
  create index documents_document_date on documents (tenant_id, doc_type, document_date, id)
    where document_date is not null;
  create index documents_sales_day on documents (tenant_id, date) where doc_type in ('SO', 'SDN', 'SINV');
  create index documents_purchases_day on documents (tenant_id, date) where doc_type in ('PO', 'PDN', 'PINV');
  create index documents_of_partner on documents (tenant_id, partner_id, doc_type, date desc, id desc);
  create index documents_drafts on documents (tenant_id, doc_type) where status = 'D';
  create index documents_lock_due on documents (id) where lock_due_at is not null;
  ${customFields('documents', '')}
  ${annotated('documents')}

  ${tenantTable(
    'document_lines',
    'Lines of documents.',
    `
    document_id uuid not null, -- Document that the line is of
    line_number integer not null, -- Place in the document, from 1
    item_id uuid, -- Item; null for free text
    description text not null, -- Text of the line
    quantity numeric(20,6) not null, -- Quantity in the line's unit
    price numeric(20,6) not null, -- Price of one unit, without tax
    discount_percent numeric(9,4) not null default 0, -- Discount as a percentage
    tax_group_id uuid not null, -- Tax
    tax_rate numeric(9,4) not null, -- Percentage of tax
    surcharge_rate numeric(9,4) not null default 0, -- Percentage of the equivalence surcharge
    amount numeric(20,6) not null, -- Amount without tax
    warehouse_id uuid, -- Warehouse; null for the document's
    uom_id uuid, -- Unit; null for the item's own
    uom_factor numeric(20,9) not null default 1, -- Units of the item in one unit of the line
    base_type text, -- Type of the document that the line is based on
    base_id uuid, -- Document that the line is based on
    base_line_id uuid, -- Line that it is based on
    -- Quantity delivered by notes based on it
    delivered_quantity numeric(20,6) not null default 0 check (delivered_quantity >= 0),
    -- Quantity invoiced by invoices based on it
    invoiced_quantity numeric(20,6) not null default 0 check (invoiced_quantity >= 0),
    -- Quantity returned by notes based on it
    returned_quantity numeric(20,6) not null default 0 check (returned_quantity >= 0),
    plugin_data jsonb, -- Data that plugins keep with the line
    zone_id uuid, -- Zone of the warehouse
    base_quantity numeric(20,6) not null, -- Quantity in the item's own unit, which moves in stock
    batch_details jsonb, -- Parts of the quantity by batch
    allow_expired boolean not null default false, -- Whether expired batches may leave
    vat_regime text, -- How the line is taxed; null for the document's
    -- Use of a purchase: current, investment or none (not deductible)
    vat_use text not null default 'current' check (vat_use in ('current', 'investment', 'none')),
    account_id uuid, -- Account; null for the item's
    project_id uuid, -- Project; null for the document's
    cost_center_id uuid, -- Cost centre; null for the document's
    -- Quantity given up when the order was closed
    closed_quantity numeric(20,6) not null default 0 check (closed_quantity >= 0),
    -- Part of a purchase's tax that can be deducted; null if not stated
    deductible_percent numeric(9,4) check (deductible_percent between 0 and 100),
    lost_tax numeric(20,6) not null default 0, -- Tax of a purchase that cannot be deducted, which is part of its cost
    price_with_tax numeric(20,6), -- Price of one unit with tax, where the total follows from it
    -- Percentage of income tax withheld; null for the document's
    withholding_rate numeric(9,4) check (withholding_rate between 0 and 100),
    constraint document_lines_number unique (tenant_id, document_id, line_number) deferrable,
    ${reference('document_lines', 'document_id', 'documents', 'on delete cascade')},
    ${reference('document_lines', 'item_id', 'items')},
    ${reference('document_lines', 'tax_group_id', 'taxes')},
    ${reference('document_lines', 'warehouse_id', 'warehouses')},
    ${reference('document_lines', 'uom_id', 'uoms')},
    ${reference('document_lines', 'base_line_id', 'document_lines')},
    ${reference('document_lines', 'account_id', 'accounts')},
    ${reference('document_lines', 'project_id', 'projects')},
    ${reference('document_lines', 'cost_center_id', 'cost_centers')},
    constraint document_lines_zone_id_fkey foreign key (tenant_id, warehouse_id, zone_id)
      references zones (tenant_id, warehouse_id, id)
  `,
    { versioned: false },
  )}
  create index document_lines_base on document_lines (tenant_id, base_line_id) where base_line_id is not null;
  create index document_lines_base_document on document_lines (tenant_id, base_id) where base_id is not null;
  create index document_lines_item on document_lines (tenant_id, item_id);
  create index document_lines_tax_group on document_lines (tenant_id, tax_group_id);
  create index document_lines_uom on document_lines (tenant_id, uom_id) where uom_id is not null;
  create index document_lines_project_id on document_lines (tenant_id, project_id) where project_id is not null;
  create index document_lines_cost_center_id on document_lines (tenant_id, cost_center_id)
    where cost_center_id is not null;
  create index document_lines_account_id on document_lines (tenant_id, account_id) where account_id is not null;
  create index document_lines_zone_id on document_lines (tenant_id, zone_id) where zone_id is not null;

  ${tenantTable(
    'document_taxes',
    'Taxes of documents: bases and amounts by tax.',
    `
    document_id uuid not null, -- Document that is taxed
    tax_group_id uuid not null, -- Tax
    code text not null, -- Code of the tax at the time
    rate numeric(9,4) not null, -- Percentage
    base numeric(20,6) not null, -- Taxable base
    amount numeric(20,6) not null, -- Tax
    surcharge_rate numeric(9,4) not null default 0, -- Percentage of the equivalence surcharge
    surcharge_amount numeric(20,6) not null default 0, -- Surcharge
    ${reference('document_taxes', 'document_id', 'documents', 'on delete cascade')},
    ${reference('document_taxes', 'tax_group_id', 'taxes')}
  `,
    { versioned: false },
  )}
  create index document_taxes_document on document_taxes (tenant_id, document_id);

  ${tenantTable(
    'document_instalments',
    'Parts of an invoice with due dates of their own. An invoice that is due at once has none.',
    `
    document_id uuid not null, -- Invoice
    partner_id uuid not null, -- Partner of the invoice
    number integer not null, -- Place among the parts, from 1
    due_date date not null, -- Day on which the part is due
    amount numeric(20,6) not null, -- Amount of the part
    settled numeric(20,6) not null default 0, -- Sum of the applications that name the part
    outstanding numeric(20,6) not null, -- What remains of the part after all applications
    -- Outstanding amount in millionths, at least 0
    outstanding_key bigint generated always as ((greatest(outstanding, 0) * 1000000)::bigint) stored,
    constraint document_instalments_number_key unique (tenant_id, document_id, number),
    ${reference('document_instalments', 'document_id', 'documents', 'on delete cascade')},
    ${reference('document_instalments', 'partner_id', 'partners')}
  `,
    { versioned: false },
  )}
  create index document_instalments_open on document_instalments (tenant_id, partner_id, outstanding_key)
    where outstanding_key > 0;

  ${tenantTable(
    'paper_settings',
    'What the papers of invoices show of the company, frozen when an invoice is posted. Invoices between two changes share a row.',
    `
    -- Hash of the content, by which the row is found; not unique, so that no posting waits for another
    content_hash uuid not null,
    content jsonb not null -- The company's data and layout
  `,
    { grants: 'select, insert', versioned: false },
  )}
  create index paper_settings_content_hash on paper_settings (tenant_id, content_hash);

  ${tenantTable(
    'paper_logos',
    'Logos on the papers of posted invoices.',
    `
    file_id uuid not null, -- File that was uploaded
    content bytea not null -- The image
  `,
    { grants: 'select, insert', versioned: false },
  )}
  create index paper_logos_file_id on paper_logos (tenant_id, file_id);

  ${table(
    'document_papers',
    "What the paper of a posted invoice shows in addition to the invoice's own rows.",
    `
    tenant_id uuid not null, -- Company of the invoice
    document_id uuid not null, -- Invoice
    settings_id uuid not null, -- What it shows of the company
    content jsonb not null, -- What it shows of its partner, items and bases
    constraint document_papers_pkey primary key (tenant_id, document_id),
    ${reference('document_papers', 'document_id', 'documents')},
    ${reference('document_papers', 'settings_id', 'paper_settings')}
  `,
  )}
  ${secureTenantTable('document_papers', { grants: 'select, insert' })}

  -- Searches documents by text. Under row-level security no index serves ilike, which is not leakproof; this function reads as the
  -- owner of the schema, and only the company that the connection is set to. It is planned for each text, since the text and the
  -- size of the company decide whether the index serves.
  create function documents_containing(kind text, pattern text, part text, most integer) returns setof uuid
    language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query execute
      'with found as materialized (select id, code, reference, supplier_reference from documents
         where tenant_id = $1 and doc_type = $2 and (code ilike $4 or reference ilike $4 or supplier_reference ilike $4))
       select id from found where code ilike $3 or reference ilike $3 or supplier_reference ilike $3 limit $5'
      using nullif(current_setting('app.tenant_id', true), '')::uuid, kind, pattern, part, most;
  end $$;
  comment on function documents_containing is
    'Documents of the company with the pattern in their code or references; all of them match part as well, and few others do';
  revoke execute on function documents_containing from public;
  grant execute on function documents_containing to ${APP_ROLE};
`;
