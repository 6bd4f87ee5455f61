/**
 * No two rates of one tax hold on the same day. Where they did, the earlier one ends the day before the next begins, which is
 * what a new rate has always meant.
 */
export const up = `
  alter table taxes no force row level security;
  update taxes set valid_to = later.begins - 1
  from (
    select id, lead(valid_from) over (partition by tenant_id, code order by valid_from nulls first) as begins from taxes
  ) later
  where later.id = taxes.id and later.begins <= coalesce(taxes.valid_to, 'infinity');
  alter table taxes force row level security;

  alter table taxes
    add constraint taxes_valid_to_check check (valid_from <= valid_to),
    add constraint taxes_no_overlap
      exclude using gist (tenant_id with =, code with =, daterange(valid_from, valid_to, '[]') with &&);
`;
