import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { secureTenantTable, tenantTable } from './schema.ts';

/** Companies, people and how they get in. Users are global; what a tenant sees of them goes through its memberships. */
export const up = `
  create table tenants (
    id uuid primary key,
    name text not null,
    slug text not null constraint tenants_slug_key unique,
    tax_id text not null,
    country char(2) not null,
    currency char(3) not null,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  alter table tenants enable row level security;
  alter table tenants force row level security;
  create policy tenants_own on tenants to ${APP_ROLE}
    using (id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));
  create policy tenants_system on tenants to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, update on tenants to ${APP_ROLE};
  grant select, insert, update on tenants to ${SYSTEM_ROLE};

  create table users (
    id uuid primary key,
    email text not null,
    name text not null,
    locale text,
    active boolean not null default true,
    last_login_at timestamptz,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create unique index users_email_key on users (lower(email));

  create table user_credentials (
    user_id uuid primary key references users (id),
    password_hash text not null,
    changed_at timestamptz not null
  );
  alter table user_credentials enable row level security;
  alter table user_credentials force row level security;
  create policy user_credentials_system on user_credentials to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on user_credentials to ${SYSTEM_ROLE};

  ${tenantTable(
    'memberships',
    `user_id uuid not null constraint memberships_user_id_fkey references users (id),
     role text not null,
     active boolean not null default true,
     constraint memberships_user_id_key unique (tenant_id, user_id)`,
    { systemGrants: 'select, insert, update' },
  )}
  create index memberships_user on memberships (user_id);

  alter table users enable row level security;
  alter table users force row level security;
  create policy users_of_tenant on users for select to ${APP_ROLE}
    using (exists (select 1 from memberships m where m.user_id = users.id));
  create policy users_system on users to ${SYSTEM_ROLE} using (true) with check (true);
  grant select on users to ${APP_ROLE};
  grant select, insert, update on users to ${SYSTEM_ROLE};

  create table refresh_tokens (
    id uuid primary key,
    family_id uuid not null,
    user_id uuid not null references users (id),
    tenant_id uuid not null references tenants (id),
    token_hash bytea not null constraint refresh_tokens_token_hash_key unique,
    expires_at timestamptz not null,
    rotated_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null
  );
  create index refresh_tokens_family on refresh_tokens (family_id);
  create index refresh_tokens_user on refresh_tokens (user_id);
  alter table refresh_tokens enable row level security;
  alter table refresh_tokens force row level security;
  create policy refresh_tokens_system on refresh_tokens to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on refresh_tokens to ${SYSTEM_ROLE};

  create table api_keys (
    id uuid primary key,
    tenant_id uuid not null references tenants (id),
    name text not null,
    role text not null,
    key_hash bytea not null constraint api_keys_key_hash_key unique,
    expires_at timestamptz,
    created_by uuid references users (id),
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint api_keys_tenant_id_id unique (tenant_id, id)
  );
  ${secureTenantTable('api_keys', { systemGrants: 'select' })}

  create table login_limits (
    key text primary key,
    points integer not null default 0,
    expire bigint
  );
  grant select, insert, update, delete on login_limits to ${SYSTEM_ROLE};
`;
