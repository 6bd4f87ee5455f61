/** API keys may have permissions of their own in place of a role's. */
export const up = `
  alter table api_keys add column permissions text[];
  comment on column api_keys.permissions is 'Its own permissions, with the role custom; null for those of its role';
`;
