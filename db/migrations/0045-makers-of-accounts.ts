import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';

/**
 * Nobody has ever verified an e-mail, so the accounts that are there belong to the company whose audit log has their beginning, or else
 * to the one that they have been in for longest. Read company by company, as the service does: nothing is locked but the accounts.
 */
export const up = `
  do $$
  declare
    company uuid;
    companies uuid[];
    made uuid[];
  begin
    set local role ${SYSTEM_ROLE};
    select array_agg(id) into companies from tenants;
    foreach company in array coalesce(companies, '{}') loop
      set local role ${APP_ROLE};
      perform set_config('app.tenant_id', company::text, true);
      select array_agg(entity_id) into made from audit_logs where entity_type = 'User' and action = 'CREATE';
      set local role ${SYSTEM_ROLE};
      update users set home_tenant_id = company where id = any(made) and home_tenant_id is null;
    end loop;
    update users u set home_tenant_id = longest.tenant_id
    from (select distinct on (user_id) user_id, tenant_id from memberships order by user_id, created_at, id) longest
    where longest.user_id = u.id and u.home_tenant_id is null;
    reset role;
    perform set_config('app.tenant_id', '', true);
  end $$;
`;
