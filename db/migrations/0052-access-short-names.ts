/** Companies have a short name, with which ids of their workflows begin. Those of before keep theirs, which begin with the company's id. */
export const up = `
  alter table tenants add column short_name text;
  comment on column tenants.short_name is 'Short name for ids of its workflows, which never changes; null: they begin with its id';
`;
