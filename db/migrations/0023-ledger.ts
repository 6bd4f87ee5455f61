import { reference, secureTenantTable, tenantTable } from './schema.ts';

/** Accounts that taxes and categories post to; by the codes of the chart that companies begin with. */
const TAX_ACCOUNTS = {
  output_account_id: `'4770' || lpad(trunc(t.rate)::text, 4, '0')`,
  input_account_id: `'4720' || lpad(trunc(t.rate)::text, 4, '0')`,
  surcharge_account_id: `'4771' || lpad(trunc(t.surcharge_rate * 100)::text, 4, '0')`,
  intra_eu_output_account_id: `'4772' || lpad(trunc(t.rate)::text, 4, '0')`,
  intra_eu_input_account_id: `'4722' || lpad(trunc(t.rate)::text, 4, '0')`,
} as const;
const columns = Object.keys(TAX_ACCOUNTS);

/**
 * The ledger. A posted entry is never changed or deleted but for its number, which is given after it was posted; lines are only ever
 * inserted. A draft keeps its lines in its own row, so that balances are the sum of all lines.
 */
export const up = `
  ${tenantTable(
    'journal_entries',
    `seq bigint generated always as identity,
     number integer check (number > 0),
     fiscal_year integer not null,
     date date not null,
     period_id uuid not null,
     kind text not null default 'normal' check (kind in ('normal', 'opening', 'regularisation', 'closing')),
     status text not null check (status in ('draft', 'posted')),
     description text,
     source_type text,
     source_id uuid,
     reversal_of uuid,
     -- What a draft will be when it is posted; null from then on.
     draft_lines jsonb,
     line_count integer not null check (line_count between 1 and 1000000),
     -- Of the debits, and as much of the credits.
     total numeric(20,6) not null check (total >= 0),
     created_by uuid,
     posted_at timestamptz,
     constraint journal_entries_number_key unique (tenant_id, fiscal_year, number) deferrable,
     constraint journal_entries_draft_check check ((status = 'draft') = (draft_lines is not null) and (status = 'posted') = (posted_at is not null)
       and (status = 'posted' or number is null)),
     ${reference('journal_entries', 'period_id', 'periods')},
     ${reference('journal_entries', 'reversal_of', 'journal_entries')}`,
  )}
  create index journal_entries_list on journal_entries (tenant_id, date desc, id desc);
  create index journal_entries_period on journal_entries (tenant_id, period_id, status);
  create index journal_entries_source on journal_entries (tenant_id, source_id) where source_id is not null;
  create unique index journal_entries_reversal_of_key on journal_entries (tenant_id, reversal_of) where reversal_of is not null;
  create index journal_entries_unnumbered on journal_entries (tenant_id, fiscal_year, date, seq) where number is null and status = 'posted';

  create table journal_lines (
    tenant_id uuid not null references tenants (id),
    entry_id uuid not null,
    line_number integer not null check (line_number > 0),
    -- The entry's, for balances by account and day without the entry.
    date date not null,
    kind text not null,
    account_id uuid not null,
    debit numeric(20,6) not null check (debit >= 0),
    credit numeric(20,6) not null check (credit >= 0),
    partner_id uuid,
    project_id uuid,
    cost_center_id uuid,
    description text,
    -- What the line says about taxes, so that reports never read it from the account: base and amount are signed.
    tax_kind text check (tax_kind in ('output', 'input', 'surcharge', 'withholding')),
    tax_operation text,
    tax_use text,
    tax_rectifying boolean,
    tax_group_id uuid,
    tax_rate numeric(9,4),
    tax_base numeric(20,6),
    tax_amount numeric(20,6),
    constraint journal_lines_number primary key (tenant_id, entry_id, line_number),
    constraint journal_lines_side_check check (debit = 0 or credit = 0),
    constraint journal_lines_tax_check check (tax_kind is null or (tax_operation, tax_use, tax_rectifying, tax_rate, tax_base, tax_amount) is not null),
    ${reference('journal_lines', 'entry_id', 'journal_entries', 'on delete cascade')},
    ${reference('journal_lines', 'account_id', 'accounts')},
    ${reference('journal_lines', 'partner_id', 'partners')},
    ${reference('journal_lines', 'project_id', 'projects')},
    ${reference('journal_lines', 'cost_center_id', 'cost_centers')},
    ${reference('journal_lines', 'tax_group_id', 'taxes')}
  );
  ${secureTenantTable('journal_lines', { grants: 'select, insert' })}
  create index journal_lines_ledger on journal_lines (tenant_id, account_id, date, entry_id) include (debit, credit, kind);
  create index journal_lines_partner on journal_lines (tenant_id, partner_id, date) where partner_id is not null;
  create index journal_lines_project on journal_lines (tenant_id, project_id, date) where project_id is not null;
  create index journal_lines_cost_center on journal_lines (tenant_id, cost_center_id, date) where cost_center_id is not null;
  create index journal_lines_tax on journal_lines (tenant_id, date) where tax_kind is not null;

  -- The calendar year in which the fiscal year of a day begins.
  create function fiscal_year_of(tenant uuid, day date) returns integer language sql stable as $$
    select extract(year from day)::integer - (to_char(day, 'MM-DD') < coalesce(
      (select value->>'fiscalYearStart' from settings where tenant_id = tenant and name = 'company'), '01-01'))::integer
  $$;

  create function keep_posted_entry() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(new) - 'number' = to_jsonb(old) - 'number' then return new; end if;
    raise exception 'entry % is posted and stays as it is', old.id;
  end $$;
  create trigger journal_entries_keep before update or delete on journal_entries
    for each row when (old.status = 'posted') execute function keep_posted_entry();

  create function check_entry_balance() returns trigger language plpgsql as $$
  declare
    sums record;
  begin
    select count(*) as lines, sum(debit) as debit, sum(credit) as credit into sums
    from journal_lines where tenant_id = new.tenant_id and entry_id = new.id;
    if sums.lines < 2 or sums.lines <> new.line_count or sums.debit <> sums.credit or sums.debit <> new.total then
      raise exception 'entry % does not balance: % lines, debit %, credit %', new.id, sums.lines, sums.debit, sums.credit;
    end if;
    return null;
  end $$;
  create constraint trigger journal_entries_balance after insert or update of status on journal_entries
    deferrable initially deferred for each row when (new.status = 'posted') execute function check_entry_balance();

  -- With the balance, this keeps lines from being added to an entry later: their numbers are all taken, or too high.
  create function check_entry_lines() returns trigger language plpgsql as $$
  begin
    if exists (select from added a left join journal_entries e on e.tenant_id = a.tenant_id and e.id = a.entry_id
      where (e.status, e.date, e.kind, a.line_number <= e.line_count) is distinct from ('posted', a.date, a.kind, true)) then
      raise exception 'lines that are not of their entry';
    end if;
    return null;
  end $$;
  create trigger journal_lines_of_entry after insert on journal_lines
    referencing new table as added for each statement execute function check_entry_lines();

  alter table categories
    add column sales_account_id uuid,
    add column purchase_account_id uuid,
    add ${reference('categories', 'sales_account_id', 'accounts')},
    add ${reference('categories', 'purchase_account_id', 'accounts')};
  alter table taxes
    ${columns.flatMap((column) => [`add column ${column} uuid`, `add ${reference('taxes', column, 'accounts')}`]).join(',\n    ')};
  alter table taxes no force row level security;
  alter table accounts no force row level security;
  update taxes t set ${columns
    .map(
      (column) => `${column} = (select a.id from accounts a where a.tenant_id = t.tenant_id and not a.is_heading
      and a.code = ${TAX_ACCOUNTS[column as keyof typeof TAX_ACCOUNTS]})`,
    )
    .join(',\n    ')}
  where t.kind <> 'exempt' and t.rate > 0;
  alter table taxes force row level security;
  alter table accounts force row level security;
`;
