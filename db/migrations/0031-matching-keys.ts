/**
 * What matching compares, as columns: under row-level security an index serves only comparisons that are leakproof (of texts and
 * whole numbers), never functions such as `lower` nor `numeric`.
 */
export const up = `
  drop index documents_open_invoices;
  drop index documents_open_reference;
  drop index documents_supplier_reference_key;
  drop index payments_reference;

  -- Neither case nor blanks around it count; what is outstanding in millionths.
  alter table documents
    add column code_key text generated always as (lower(btrim(code))) stored,
    add column reference_key text generated always as (lower(btrim(reference))) stored,
    add column supplier_key text generated always as (lower(btrim(supplier_reference))) stored,
    add column outstanding_key bigint generated always as ((greatest(total - paid_total, 0) * 1000000)::bigint) stored;

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
`;
