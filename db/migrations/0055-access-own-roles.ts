/** Companies have roles of their own, which members and keys may have. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'roles',
    "Roles of the company's own: names for sets of permissions.",
    `
    name text not null, -- Name that tells the role from others
    permissions text[] not null -- What those who have it may do
  `,
    { systemGrants: 'select' },
  )}
  create unique index roles_name on roles (tenant_id, lower(name));
  alter table memberships add column role_id uuid, add column permissions text[],
    add constraint memberships_role foreign key (tenant_id, role_id) references roles (tenant_id, id) not valid;
  alter table invitations add column role_id uuid, add column permissions text[],
    add constraint invitations_role foreign key (tenant_id, role_id) references roles (tenant_id, id) not valid;
  alter table api_keys add column role_id uuid,
    add constraint api_keys_role foreign key (tenant_id, role_id) references roles (tenant_id, id) not valid;
  comment on column memberships.role_id is 'Role of the company''s own that the member has; null for others';
  comment on column memberships.permissions is 'Permissions of that role, with the role custom; null for others';
  comment on column invitations.role_id is 'Role of the company''s own that the member will have; null for others';
  comment on column invitations.permissions is 'Permissions of that role, with the role custom; null for others';
  comment on column api_keys.role_id is 'Role of the company''s own that the key has; null for others';
  create trigger api_keys_caller_permissions after update of permissions on api_keys for each row execute function notify_caller();
`;
