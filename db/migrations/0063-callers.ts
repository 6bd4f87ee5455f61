/**
 * What says who somebody is, and what they may do, notifies those who keep it: within the transaction that changes it. The notice goes to
 * that transaction's own client, which then waits until all have heard.
 */

const notify = (name: string, id: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    raise notice 'callers changed';
    perform pg_notify('callers', ${id}::text);
    return null;
  end $$;`;

export const up = `
  ${notify('notify_caller', 'old.id')}
  ${notify('notify_user', 'old.user_id')}
  ${notify('notify_tenant', 'new.tenant_id')}

  create trigger memberships_caller after update or delete on memberships for each row execute function notify_user();
  create trigger users_caller after update of active on users for each row execute function notify_caller();
  create trigger users_caller_gone after delete on users for each row execute function notify_caller();
  -- A session ends when its last token is revoked; the tokens that follow one another within it are no change.
  create trigger refresh_tokens_caller after update of revoked_at on refresh_tokens
    for each row when (old.revoked_at is distinct from new.revoked_at) execute function notify_user();
  create trigger refresh_tokens_caller_gone after delete on refresh_tokens
    for each row when (old.revoked_at is null) execute function notify_user();
  create trigger api_keys_caller after update of role, expires_at, key_hash on api_keys
    for each row execute function notify_caller();
  create trigger api_keys_caller_gone after delete on api_keys for each row execute function notify_caller();
  -- The state of a company's custom fields.
  create trigger counters_caller after insert or update on counters
    for each row when (new.name = 'custom_fields') execute function notify_tenant();
`;
