import { APP_ROLE } from '../database.ts';
import { perTenant } from './per-tenant.ts';

/**
 * What earlier releases reversed in a later quarter than its own rectifies that one, and did not say so. Lines are final for the service:
 * within the transaction it may mark these. Their years are summed again; until the service has, reports read the entries.
 */
const LATER = `select r.tenant_id, r.id, r.fiscal_year from journal_entries r
  join journal_entries o on o.tenant_id = r.tenant_id and o.id = r.reversal_of
    and date_trunc('quarter', o.date::timestamp) <> date_trunc('quarter', r.date::timestamp)
  where exists (select from journal_lines l where l.tenant_id = r.tenant_id and l.entry_id = r.id and l.tax_kind is not null)`;

export const up = perTenant(`
  reset role;
  grant update (tax_rectifying) on journal_lines to ${APP_ROLE};
  set local role ${APP_ROLE};
  update journal_lines l set tax_rectifying = true from (${LATER}) later
    where l.tenant_id = later.tenant_id and l.entry_id = later.id and l.tax_rectifying = false;
  update counters c set next = 1 where c.name in (select 'journal_balances:' || fiscal_year from (${LATER}) later);
  delete from journal_balances b where b.fiscal_year in (select fiscal_year from (${LATER}) later);
  reset role;
  revoke update (tax_rectifying) on journal_lines from ${APP_ROLE};
`);
