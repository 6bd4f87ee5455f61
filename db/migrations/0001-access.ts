import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { CURRENT_TENANT, forceRowSecurity, table, tenantTable, VERSIONED } from './schema.ts';

/** Companies, users, and how they sign in. Users are global; a company sees those who are its members. */
export const up = `
  -- Changes to what a caller is and may do notify the processes that cache it, within the transaction that makes them. The notice
  -- goes to that transaction's own client, which then waits until all processes have heard.
  create function notify_caller() returns trigger language plpgsql as $$
  begin
    raise notice 'callers changed';
    perform pg_notify('callers', old.id::text);
    return null;
  end $$;

  create function notify_user() returns trigger language plpgsql as $$
  begin
    raise notice 'callers changed';
    perform pg_notify('callers', old.user_id::text);
    return null;
  end $$;

  create function notify_tenant() returns trigger language plpgsql as $$
  begin
    raise notice 'callers changed';
    perform pg_notify('callers', new.tenant_id::text);
    return null;
  end $$;

  ${table(
    'tenants',
    'Companies. Every row of another table that has a tenant_id belongs to one of them.',
    `
    id uuid primary key, -- Identifier of the company
    name text not null, -- Name of the company
    slug text not null constraint tenants_slug_key unique, -- Short name for addresses, unique in the service
    tax_id text not null, -- Tax number (NIF), as given at registration
    country char(2) not null, -- Country, ISO 3166-1 alpha-2
    currency char(3) not null, -- Currency of its books, ISO 4217
    ${VERSIONED}
  `,
  )}
  ${forceRowSecurity('tenants')}
  create policy tenants_system on tenants to ${SYSTEM_ROLE} using (true) with check (true);
  create policy tenants_own on tenants to ${APP_ROLE} using (id = ${CURRENT_TENANT});
  grant select, update on tenants to ${APP_ROLE};
  grant select, insert, update on tenants to ${SYSTEM_ROLE};

  ${table(
    'users',
    'Accounts of people. One account can be a member of several companies.',
    `
    id uuid primary key, -- Identifier of the account
    email text not null, -- Address to sign in with, unique whatever its case
    name text not null, -- Name that other users see
    locale text, -- Language of the interface, BCP 47; null for the company's
    active boolean not null default true, -- Whether the account may sign in
    last_login_at timestamptz, -- Time of the last sign-in
    email_verified_at timestamptz, -- When the address was shown to be the user's; null until then
    -- Company that created the account, which alone may change its profile while the address is unverified
    home_tenant_id uuid references tenants (id),
    ${VERSIONED}
  `,
  )}
  ${forceRowSecurity('users')}
  create policy users_system on users to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update on users to ${SYSTEM_ROLE};
  grant select on users to ${APP_ROLE};
  create unique index users_email_key on users (lower(email));
  create trigger users_caller after update of active on users for each row execute function notify_caller();
  create trigger users_caller_gone after delete on users for each row execute function notify_caller();

  ${table(
    'user_credentials',
    'Passwords, apart from users so that only the system role reads them.',
    `
    user_id uuid primary key references users (id), -- User who signs in with it
    password_hash text not null, -- Argon2id hash of the password
    changed_at timestamptz not null -- When the password was set
  `,
  )}
  ${forceRowSecurity('user_credentials')}
  create policy user_credentials_system on user_credentials to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on user_credentials to ${SYSTEM_ROLE};

  ${tenantTable(
    'memberships',
    'Users of a company, with their roles.',
    `
    user_id uuid not null references users (id), -- User who is a member
    role text not null, -- Role that decides what the member may do
    active boolean not null default true, -- Whether the membership is in force
    constraint memberships_user_id_key unique (tenant_id, user_id)
  `,
    { systemGrants: 'select, insert, update' },
  )}
  create policy users_of_tenant on users for select to ${APP_ROLE} using (exists (select 1 from memberships m
    where m.user_id = users.id));
  create index memberships_user on memberships (user_id);
  create trigger memberships_caller after delete or update on memberships for each row
    execute function notify_user();

  ${table(
    'refresh_tokens',
    'Refresh tokens of sessions. Each is used once and replaced by the next of its family.',
    `
    id uuid primary key, -- Identifier of the token
    family_id uuid not null, -- Session: tokens that follow one another share it
    user_id uuid not null references users (id), -- User who signed in
    tenant_id uuid not null references tenants (id), -- Company that the session works in
    token_hash bytea not null constraint refresh_tokens_token_hash_key unique, -- SHA-256 of the token
    expires_at timestamptz not null, -- When the token can no longer be used
    rotated_at timestamptz, -- When it was replaced by the next token
    revoked_at timestamptz, -- When it was revoked, by a sign-out or because it was used twice
    created_at timestamptz not null, -- When it was issued
    session_ends_at timestamptz not null -- End of the session, 90 days after its sign-in however often it is refreshed
  `,
  )}
  ${forceRowSecurity('refresh_tokens')}
  create policy refresh_tokens_of_tenant on refresh_tokens for select to ${APP_ROLE}
    using (exists (select 1 from memberships m where m.user_id = refresh_tokens.user_id));
  create policy refresh_tokens_system on refresh_tokens to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on refresh_tokens to ${SYSTEM_ROLE};
  grant select (family_id, user_id, revoked_at) on refresh_tokens to ${APP_ROLE};
  create index refresh_tokens_family on refresh_tokens (family_id);
  create index refresh_tokens_user on refresh_tokens (user_id);
  create index refresh_tokens_end on refresh_tokens (least(session_ends_at, revoked_at));
  create trigger refresh_tokens_caller after update of revoked_at on refresh_tokens for each row
    when (old.revoked_at is distinct from new.revoked_at) execute function notify_user();
  create trigger refresh_tokens_caller_gone after delete on refresh_tokens for each row
    when (old.revoked_at is null) execute function notify_user();

  ${table(
    'login_limits',
    'Counters of failed sign-ins, by address and by client.',
    `
    key text primary key, -- What is counted, as a limiter's name and key
    points integer not null default 0, -- Attempts counted
    expire bigint -- When the counter is forgotten, in milliseconds since 1970
  `,
  )}
  grant select, insert, update, delete on login_limits to ${SYSTEM_ROLE};
  create index login_limits_expire on login_limits (expire);

  ${table(
    'password_resets',
    'Requests for a new password by mail. Only the system role reads them, since accounts belong to no company.',
    `
    id uuid primary key, -- Identifier of the request
    user_id uuid not null references users (id), -- User whose password is to be set
    company_id uuid not null references tenants (id), -- Company whose mail settings send the message
    -- SHA-256 of the token in the message; null until it is sent
    token_hash bytea constraint password_resets_token_hash_key unique,
    expires_at timestamptz not null, -- When the token can no longer be used
    used_at timestamptz -- When the password was set with it
  `,
  )}
  grant select, insert, update, delete on password_resets to ${SYSTEM_ROLE};
  create index password_resets_user on password_resets (user_id);
  create index password_resets_age on password_resets (expires_at);

  ${tenantTable(
    'invitations',
    'Invitations to join a company. An invited person has no account until they accept.',
    `
    user_id uuid not null, -- Account that was invited, or the id that the account will get
    email text not null, -- Address that was invited
    name text not null, -- Name proposed for the account
    locale text, -- Language proposed for the account
    role text not null, -- Role that the member will have
    -- pending, accepted, declined or withdrawn
    status text not null check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
    invited_by uuid references users (id), -- Member who invited; null for an API key
    last_mail_at timestamptz not null, -- When the last message was requested
    expires_at timestamptz not null, -- When the invitation can no longer be accepted
    mails integer not null, -- Number of messages requested
    mail_id uuid not null, -- Last message requested; an older one is not sent
    mailed_at timestamptz, -- When the last message was sent
    token_hash bytea constraint invitations_token_hash_key unique, -- SHA-256 of the token in the last message
    settled_at timestamptz -- When it was accepted, declined or withdrawn
  `,
    { grants: 'select, insert, update', systemGrants: 'select, update, delete' },
  )}
  create unique index invitations_email_key on invitations (tenant_id, lower(email)) where status = 'pending';
  create index invitations_user on invitations (user_id) where status = 'pending';
  create index invitations_email on invitations (lower(email), mailed_at);
  create index invitations_mailed on invitations (tenant_id, last_mail_at);

  ${tenantTable(
    'api_keys',
    'Keys with which programs call the interface.',
    `
    name text not null, -- Name that tells the key from others
    role text not null, -- Role that decides what the key may do
    key_hash bytea not null constraint api_keys_key_hash_key unique, -- SHA-256 of the key
    expires_at timestamptz, -- When the key stops working; null for never
    created_by uuid references users (id), -- User who created it; null once the account is gone
    created_by_name text, -- Name of that user at the time
    last_used_at timestamptz -- When it was last used, to about a minute
  `,
    { systemGrants: 'select' },
  )}
  grant update (last_used_at) on api_keys to ${SYSTEM_ROLE};
  create index api_keys_maker on api_keys (tenant_id, created_by);
  create trigger api_keys_caller after update of role, expires_at, key_hash on api_keys for each row
    execute function notify_caller();
  create trigger api_keys_caller_gone after delete on api_keys for each row execute function notify_caller();
`;
