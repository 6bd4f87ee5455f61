/** Plugins, which call with tokens of their own and own custom fields. Until now there were none, so that no field names one. */
import { reference, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'plugins',
    `name text not null,
     release text not null,
     description text,
     custom_fields jsonb not null,
     permissions text[] not null,
     status text not null check (status in ('enabled', 'disabled')),
     token_hash bytea not null constraint plugins_token_hash_key unique,
     token_rotated_at timestamptz,
     created_by uuid,
     constraint plugins_name_key unique (tenant_id, name)`,
    { systemGrants: 'select' },
  )}
  alter table custom_fields add ${reference('custom_fields', 'plugin_id', 'plugins')};

  -- What is kept of callers ends with any change of what they may do (migration 0063).
  create trigger plugins_caller after update of status, permissions, token_hash on plugins
    for each row execute function notify_caller();
  create trigger plugins_caller_gone after delete on plugins for each row execute function notify_caller();
`;
