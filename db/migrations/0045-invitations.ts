import { tenantTable } from './schema.ts';

/**
 * Accounts know whether their e-mail is verified, and which company has made them. Whoever is invited is no account yet: the invitation
 * holds what the company has named, and the id that an account gets which comes of it.
 */
export const up = `
  alter table users
    add column email_verified_at timestamptz,
    add column home_tenant_id uuid references tenants (id);

  ${tenantTable(
    'invitations',
    `user_id uuid not null,
     email text not null,
     name text not null,
     locale text,
     role text not null,
     status text not null check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
     invited_by uuid references users (id),
     last_mail_at timestamptz not null,
     expires_at timestamptz not null,
     mails integer not null,
     mail_id uuid not null,
     mailed_at timestamptz,
     token_hash bytea constraint invitations_token_hash_key unique,
     settled_at timestamptz`,
    { grants: 'select, insert, update', systemGrants: 'select, update' },
  )}
  create unique index invitations_email_key on invitations (tenant_id, lower(email)) where status = 'pending';
  create index invitations_user on invitations (user_id) where status = 'pending';
  create index invitations_email on invitations (lower(email), mailed_at);
  create index invitations_mailed on invitations (tenant_id, last_mail_at);
`;
