import { APP_ROLE } from '../database.ts';

/** Finds exchanged invoices by the number of the full one. */
export const up = `
  create function full_invoices_containing(pattern text, most integer) returns setof uuid
    language sql stable security definer set search_path = public, pg_temp as $$
    select document_id from full_invoices
    where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and code ilike pattern limit most $$;
  comment on function full_invoices_containing is 'Exchanged invoices of the company with the pattern in the number of the full one';
  revoke execute on function full_invoices_containing from public;
  grant execute on function full_invoices_containing to ${APP_ROLE};
`;
