/**
 * The number that a supplier gave his invoice is entered once. Repetitions from before are told apart by their own number, drafts
 * by their id: the first that was entered keeps what it has.
 */
export const up = `
  -- The owner changes the rows of all tenants.
  alter table documents no force row level security;
  update documents d set supplier_reference = d.supplier_reference || ' (' || coalesce(d.code, d.id::text) || ')'
  from (
    select id, row_number() over (partition by tenant_id, partner_id, lower(btrim(supplier_reference)) order by created_at, id) as place
    from documents where doc_type = 'PINV' and status <> 'X' and supplier_reference is not null) as entered
  where entered.id = d.id and entered.place > 1;
  alter table documents force row level security;
  create unique index documents_supplier_reference_key on documents (tenant_id, partner_id, lower(btrim(supplier_reference)))
    where doc_type = 'PINV' and status <> 'X';
`;
