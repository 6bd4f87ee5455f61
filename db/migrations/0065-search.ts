/**
 * Text search among a million documents. Under row-level security no index serves `ilike`, which is not leakproof; this function reads
 * documents as the owner of the schema, and only those of the company that the connection is set to. Indexes that nothing reads go.
 */
import { APP_ROLE } from '../database.ts';

export const up = `
  create extension if not exists pg_trgm;

  -- Planned for each text: whether the index serves depends on it, and on the size of the company.
  create function documents_containing(kind text, pattern text, part text, most integer) returns setof uuid
    language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query execute
      'with found as materialized (select id, code, reference, supplier_reference from documents
         where tenant_id = $1 and doc_type = $2 and (code ilike $4 or reference ilike $4 or supplier_reference ilike $4))
       select id from found where code ilike $3 or reference ilike $3 or supplier_reference ilike $3 limit $5'
      using nullif(current_setting('app.tenant_id', true), '')::uuid, kind, pattern, part, most;
  end $$;
  comment on function documents_containing is
    'Documents of the company with the pattern in their code or references; part is a pattern that all of these fulfil, and few others';
  revoke execute on function documents_containing from public;
  grant execute on function documents_containing to ${APP_ROLE};

  drop index documents_recent;
  drop index documents_due;
  drop index documents_open_credits;
`;
