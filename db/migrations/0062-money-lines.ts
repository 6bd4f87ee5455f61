/** The line of a payment's entry that is its money says so; until now it was known by its place. */
export const up = `
  -- The owner changes the rows of all tenants.
  alter table journal_entries no force row level security;
  alter table journal_lines add column money boolean not null default false, no force row level security;
  -- The first entry of a payment has its money, in the first line; later ones apply its credit. Offsets have none.
  update journal_lines l set money = true
    from (select distinct on (tenant_id, source_id) tenant_id, id from journal_entries
      where source_type = 'payment' and reversal_of is null order by tenant_id, source_id, seq) own
    where l.tenant_id = own.tenant_id and l.entry_id = own.id and l.line_number = 1
      and l.partner_id is null and l.tax_kind is null;
  alter table journal_entries force row level security;
  alter table journal_lines force row level security;
`;
