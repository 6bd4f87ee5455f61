import { secureTenantTable } from './schema.ts';

/**
 * Sums of the ledger by month, up to a number of each fiscal year: the counter `journal_balances:<year>` holds the first number that is not
 * in them. So no entry may change places with one behind that number, as a process of an earlier release would have it when it closes a
 * year.
 */
export const up = `
  create table journal_balances (
    tenant_id uuid not null references tenants (id),
    fiscal_year integer not null,
    month date not null check (extract(day from month) = 1),
    account_id uuid not null,
    kind text not null,
    project_id uuid,
    cost_center_id uuid,
    tax_kind text,
    tax_operation text,
    tax_use text,
    tax_rectifying boolean,
    tax_group_id uuid,
    tax_rate numeric(9,4),
    debit numeric not null,
    credit numeric not null,
    tax_base numeric not null,
    tax_amount numeric not null,
    tax_subject numeric not null,
    constraint journal_balances_key unique nulls not distinct (tenant_id, month, account_id, kind, fiscal_year, project_id, cost_center_id,
      tax_kind, tax_operation, tax_use, tax_rectifying, tax_group_id, tax_rate)
  ) with (fillfactor = 80);
  ${secureTenantTable('journal_balances')}
  create index journal_balances_account on journal_balances (tenant_id, account_id, month);

  create function keep_summed_entry() returns trigger language plpgsql as $$
  declare
    summed bigint;
  begin
    select next into summed from counters
      where tenant_id = new.tenant_id and name = 'journal_balances:' || new.fiscal_year;
    if (old.number < summed) is distinct from (new.number < summed) then
      raise exception 'entry % may not move past number %, up to which balances are summed', old.id, summed
        using errcode = 'serialization_failure';
    end if;
    return new;
  end $$;
  create trigger journal_entries_summed before update of number on journal_entries
    for each row when (old.number is distinct from new.number and old.number is not null) execute function keep_summed_entry();
`;
