/** A discount lowers the tax withheld on its invoice, unless it is to keep it: earlier ones have kept it. */
export const up = `
  -- The owner changes the rows of all tenants.
  alter table documents no force row level security;
  alter table payment_applications add column keep_withholding boolean not null default false, no force row level security;
  update payment_applications a set keep_withholding = true from documents d
    where d.tenant_id = a.tenant_id and d.id = a.document_id and a.discount <> 0 and d.withholding_amount <> 0;
  alter table documents force row level security;
  alter table payment_applications force row level security;
`;
