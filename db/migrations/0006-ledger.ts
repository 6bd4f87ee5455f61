import { annotated, reference, secureTenantTable, table, tenantTable } from './schema.ts';

/** The ledger. A posted entry is never changed or deleted, but for the number that it gets later; lines are only ever inserted. */
export const up = `
  -- The calendar year in which the fiscal year of a day begins.
  create function fiscal_year_of(tenant uuid, day date) returns integer language sql stable as $$
    select extract(year from day)::integer - (to_char(day, 'MM-DD') < coalesce(
      (select value->>'fiscalYearStart' from settings where tenant_id = tenant and name = 'company'), '01-01'))::integer
  $$;

  create function fill_fiscal_year() returns trigger language plpgsql as $$
  begin
    new.fiscal_year := fiscal_year_of(new.tenant_id, new.date);
    return new;
  end $$;

  -- The first day of fiscal years may have changed since the statement began: the transaction is then repeated.
  create function check_entry_year() returns trigger language plpgsql as $$
  begin
    if new.fiscal_year <> fiscal_year_of(new.tenant_id, new.date) then
      raise exception 'the fiscal year begins on another day since entry % was begun', new.id using errcode = 'serialization_failure';
    end if;
    return null;
  end $$;

  create function keep_posted_entry() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(new) - 'number' = to_jsonb(old) - 'number' then return new; end if;
    raise exception 'entry % is posted and stays as it is', old.id;
  end $$;

  -- Balances are sums up to a number, which no entry may pass in either direction.
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

  -- Together with the balance, this keeps lines from being added to an entry later: their numbers are taken, or too high.
  create function check_entry_lines() returns trigger language plpgsql as $$
  begin
    if exists (select from added a left join journal_entries e on e.tenant_id = a.tenant_id and e.id = a.entry_id
      where (e.status, e.date, e.kind, a.line_number <= e.line_count) is distinct from ('posted', a.date, a.kind, true)) then
      raise exception 'lines that are not of their entry';
    end if;
    return null;
  end $$;

  ${tenantTable(
    'journal_entries',
    'Journal entries.',
    `
    seq bigint generated always as identity, -- Order of insertion
    number integer check (number > 0), -- Number in its fiscal year, given shortly after posting; null until then
    fiscal_year integer not null, -- Calendar year in which its fiscal year begins
    date date not null, -- Day on which it is entered
    period_id uuid not null, -- Period of that day
    -- normal, opening, regularisation or closing
    kind text not null default 'normal' check (kind in ('normal', 'opening', 'regularisation', 'closing')),
    status text not null check (status in ('draft', 'posted')), -- draft or posted
    description text, -- Text of the entry
    source_type text, -- Kind of record that it was made from; null for a manual entry
    source_id uuid, -- Record that it was made from
    reversal_of uuid, -- Entry that it reverses
    -- Lines of a draft, kept here so that balances are the sum of all journal_lines; null once posted
    draft_lines jsonb,
    line_count integer not null check (line_count between 1 and 1000000), -- Number of lines
    total numeric(20,6) not null check (total >= 0), -- Sum of the debits, which equals that of the credits
    created_by uuid, -- User who entered it
    posted_at timestamptz, -- When it was posted
    constraint journal_entries_number_key unique (tenant_id, fiscal_year, number) deferrable,
    constraint journal_entries_draft_check check (
      (status = 'draft') = (draft_lines is not null) and (status = 'posted') = (posted_at is not null)
      and (status = 'posted' or number is null)),
    ${reference('journal_entries', 'period_id', 'periods')},
    ${reference('journal_entries', 'reversal_of', 'journal_entries')}
  `,
  )}
  create index journal_entries_list on journal_entries (tenant_id, date desc, id desc);
  create index journal_entries_period on journal_entries (tenant_id, period_id, status);
  create index journal_entries_source on journal_entries (tenant_id, source_id) where source_id is not null;
  create unique index journal_entries_reversal_of_key on journal_entries (tenant_id, reversal_of)
    where reversal_of is not null;
  create index journal_entries_unnumbered on journal_entries (tenant_id, fiscal_year, date, seq)
    where number is null and status = 'posted';
  create index journal_entries_drafts on journal_entries (tenant_id) where draft_lines is not null;
  create trigger journal_entries_keep before delete or update on journal_entries for each row
    when (old.status = 'posted') execute function keep_posted_entry();
  create constraint trigger journal_entries_balance after insert or update of status on journal_entries
    deferrable initially deferred for each row when (new.status = 'posted') execute function check_entry_balance();
  create constraint trigger journal_entries_year after insert on journal_entries deferrable initially deferred
    for each row execute function check_entry_year();
  create trigger journal_entries_fiscal_year before insert on journal_entries for each row
    when (new.fiscal_year is null) execute function fill_fiscal_year();
  create trigger journal_entries_summed before update of number on journal_entries for each row
    when (old.number is distinct from new.number and old.number is not null) execute function keep_summed_entry();
  ${annotated('journal_entries')}

  ${table(
    'journal_lines',
    'Lines of posted entries. What a line says about taxes is here, so that reports never infer it from the account.',
    `
    tenant_id uuid not null references tenants (id), -- Company of the entry
    entry_id uuid not null, -- Entry that the line is of
    line_number integer not null check (line_number > 0), -- Place in the entry, from 1
    date date not null, -- Date of the entry, for balances by account and day without it
    kind text not null, -- Kind of the entry
    account_id uuid not null, -- Account debited or credited
    debit numeric(20,6) not null check (debit >= 0), -- Debit, or 0
    credit numeric(20,6) not null check (credit >= 0), -- Credit, or 0
    partner_id uuid, -- Partner whose balance it changes
    project_id uuid, -- Project that it is assigned to
    cost_center_id uuid, -- Cost centre that it is assigned to
    description text, -- Text of the line
    -- output, input, surcharge or withholding; null for a line that is not about taxes
    tax_kind text check (tax_kind in ('output', 'input', 'surcharge', 'withholding')),
    tax_operation text, -- Kind of operation taxed, such as intra_eu
    tax_use text, -- Use of a purchase: current, investment or none (not deductible)
    tax_rectifying boolean, -- Whether it corrects an earlier declaration
    tax_group_id uuid, -- Tax
    tax_rate numeric(9,4), -- Percentage
    tax_base numeric(20,6), -- Taxable base, signed
    tax_amount numeric(20,6), -- Tax, signed
    money boolean not null default false, -- Whether it is the money of a payment's entry
    tax_subject numeric(20,6), -- Tax before the pro rata, signed; null where it equals tax_amount
    note_line_id uuid, -- Line of a delivery note that the entry is for, where notes are entered in the ledger
    constraint journal_lines_number primary key (tenant_id, entry_id, line_number),
    constraint journal_lines_side_check check (debit = 0 or credit = 0),
    constraint journal_lines_tax_check check (tax_kind is null
      or (tax_operation, tax_use, tax_rectifying, tax_rate, tax_base, tax_amount) is not null),
    ${reference('journal_lines', 'entry_id', 'journal_entries', 'on delete cascade')},
    ${reference('journal_lines', 'account_id', 'accounts')},
    ${reference('journal_lines', 'partner_id', 'partners')},
    ${reference('journal_lines', 'project_id', 'projects')},
    ${reference('journal_lines', 'cost_center_id', 'cost_centers')},
    ${reference('journal_lines', 'tax_group_id', 'taxes')}
  `,
  )}
  ${secureTenantTable('journal_lines', { grants: 'select, insert' })}
  create index journal_lines_ledger on journal_lines (tenant_id, account_id, date, entry_id) include (debit, credit, kind);
  create index journal_lines_partner on journal_lines (tenant_id, partner_id, date) where partner_id is not null;
  create index journal_lines_project on journal_lines (tenant_id, project_id, date) where project_id is not null;
  create index journal_lines_cost_center on journal_lines (tenant_id, cost_center_id, date)
    where cost_center_id is not null;
  create index journal_lines_tax on journal_lines (tenant_id, date) where tax_kind is not null;
  create index journal_lines_tax_group on journal_lines (tenant_id, tax_group_id) where tax_group_id is not null;
  create index journal_lines_note_line on journal_lines (tenant_id, note_line_id) where note_line_id is not null;
  create trigger journal_lines_of_entry after insert on journal_lines referencing new table as added
    for each statement execute function check_entry_lines();

  ${table(
    'journal_balances',
    'Sums of journal lines by month. The counter journal_balances:<year> has the first number not included.',
    `
    tenant_id uuid not null references tenants (id), -- Company whose lines are summed
    fiscal_year integer not null, -- Fiscal year of the entries
    month date not null check (extract(day from month) = 1), -- First day of the month
    account_id uuid not null, -- Account
    kind text not null, -- Kind of the entries
    project_id uuid, -- Project
    cost_center_id uuid, -- Cost centre
    tax_kind text, -- Kind of tax, as in journal_lines
    tax_operation text, -- Kind of operation taxed
    tax_use text, -- Use of the purchases
    tax_rectifying boolean, -- Whether the lines correct earlier declarations
    tax_group_id uuid, -- Tax
    tax_rate numeric(9,4), -- Percentage
    debit numeric not null, -- Sum of the debits
    credit numeric not null, -- Sum of the credits
    tax_base numeric not null, -- Sum of the taxable bases
    tax_amount numeric not null, -- Sum of the taxes
    tax_subject numeric not null, -- Sum of the taxes before the pro rata
    lines integer not null, -- Number of lines, by which pages of the ledger find their beginning
    constraint journal_balances_key unique nulls not distinct (tenant_id, month, account_id, kind, fiscal_year,
      project_id, cost_center_id, tax_kind, tax_operation, tax_use, tax_rectifying, tax_group_id, tax_rate)
  `,
    'with (fillfactor = 80)',
  )}
  ${secureTenantTable('journal_balances')}
  create index journal_balances_account on journal_balances (tenant_id, account_id, month);

  ${tenantTable(
    'fiscal_years',
    'Fiscal years that have been closed at least once.',
    `
    year integer not null, -- Calendar year in which it begins
    "from" date not null, -- First day
    "to" date not null, -- Last day
    status text not null check (status in ('open', 'closed')), -- open (reopened) or closed
    result numeric(20,6), -- Profit, or loss below zero; null while it is open
    stock_entry_id uuid, -- Entry of the change in stock
    regularisation_id uuid, -- Entry that moves income and expenses to the result
    closing_id uuid, -- Entry that closes the accounts
    opening_id uuid, -- Entry that opens them in the next year
    closed_periods uuid[] not null default '{}', -- Periods that the close closed, which reopening opens
    pending_entry_id uuid, -- Entry of what was delivered and not invoiced at the end
    pending_reversal_id uuid, -- Its reversal on the first day of the next year
    constraint fiscal_years_year_key unique (tenant_id, year),
    ${reference('fiscal_years', 'stock_entry_id', 'journal_entries')},
    ${reference('fiscal_years', 'regularisation_id', 'journal_entries')},
    ${reference('fiscal_years', 'closing_id', 'journal_entries')},
    ${reference('fiscal_years', 'opening_id', 'journal_entries')},
    ${reference('fiscal_years', 'pending_entry_id', 'journal_entries')},
    ${reference('fiscal_years', 'pending_reversal_id', 'journal_entries')}
  `,
  )}

  ${tenantTable(
    'pro_rata_adjustments',
    'Adjustments of the pro rata of years, with the figures that they rest on. Rows are only ever inserted.',
    `
    year integer not null, -- Calendar year that was adjusted
    -- Definitive percentage of common tax that is deducted
    percent numeric(9,4) not null check (percent between 0 and 100),
    with_right numeric(20,6) not null, -- Net sales with the right to deduct
    operations numeric(20,6) not null, -- Net sales that count
    subject numeric(20,6) not null, -- Common tax, before the pro rata
    deducted numeric(20,6) not null, -- Tax that had been deducted
    difference numeric(20,6) not null, -- Tax to deduct in addition; below zero to pay back
    entry_id uuid, -- Entry of the difference; null for none
    ${reference('pro_rata_adjustments', 'entry_id', 'journal_entries')}
  `,
    { grants: 'select, insert' },
  )}
  create index pro_rata_adjustments_year on pro_rata_adjustments (tenant_id, year);

  ${tenantTable(
    'tax_returns',
    'Filed tax returns.',
    `
    model text not null check (model in ('130', '303', '390')), -- Form: 130, 303 or 390
    year integer not null, -- Calendar year
    period text not null, -- Quarter (1T to 4T), month (01 to 12) or 0A for the year
    "from" date not null, -- First day
    "to" date not null, -- Last day
    -- I (to pay), C (to compensate), D (to be refunded), B (to deduct later) or N (nothing)
    type text not null check (type in ('I', 'C', 'D', 'B', 'N')),
    result numeric(20,6) not null, -- Amount to pay; below zero in the company's favour
    refund boolean not null, -- Whether a refund was requested
    boxes jsonb not null, -- Boxes of the form with their amounts
    overrides jsonb not null, -- Boxes that were set by hand
    carry numeric(20,6) not null, -- Amount left to compensate in later periods
    entry_id uuid, -- Entry of the settlement; null for none
    created_by uuid, -- User who filed it
    constraint tax_returns_period_key unique (tenant_id, model, "to", "from"),
    ${reference('tax_returns', 'entry_id', 'journal_entries')}
  `,
  )}
`;
