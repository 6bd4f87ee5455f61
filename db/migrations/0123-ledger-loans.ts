import { SYSTEM_ROLE } from '../database.ts';
import { annotated, reference, tenantTable } from './schema.ts';

const ACCOUNTS = ['long_term_account_id', 'short_term_account_id', 'interest_account_id', 'bank_account_id'];

/** Loans that the company owes, and what has changed them. */
export const up = `
  ${tenantTable(
    'loans',
    'Loans that the company owes. What is outstanding is the sum of their movements.',
    `
    code text not null, -- Code
    name text not null, -- Name
    partner_id uuid, -- Lender
    principal numeric(20,6) not null check (principal > 0), -- Amount lent
    annual_rate numeric(9,4) not null check (annual_rate >= 0), -- Nominal rate of a year in percent
    instalments integer not null check (instalments > 0), -- Number of monthly instalments
    starts_on date not null, -- Day on which it is drawn
    first_due_on date not null, -- Day on which the first instalment is due
    due_day integer not null check (due_day between 1 and 31), -- Day of the month on which the others are
    method text not null check (method in ('french', 'linear', 'bullet')), -- How it is paid back
    long_term_account_id uuid not null, -- Account of what is due later than in a year: 170
    short_term_account_id uuid not null, -- Account of what is due within a year: 520
    interest_account_id uuid not null, -- Account of the interest: 662
    bank_account_id uuid not null, -- Account that it is paid to and from: 572
    status text not null check (status in ('planned', 'drawn', 'repaid')), -- planned, drawn or repaid
    short_term numeric(20,6) not null check (short_term >= 0), -- Outstanding on the account of what is due within a year
    long_term numeric(20,6) not null check (long_term >= 0), -- Outstanding on the other account
    outstanding numeric(20,6) not null, -- Outstanding principal, on both accounts
    payment numeric(20,6) not null, -- Instalment of the French method, principal of each in the linear one
    instalments_left integer not null, -- Number of instalments that are left, at most
    next_due_on date, -- Day on which the next instalment is due; null if none is
    reclassified_on date, -- End of the fiscal year at which principal becomes short-term next; null if none does
    next_on date generated always as (least(next_due_on, reclassified_on)) stored, -- Next day on which something is entered
    constraint loans_code_key unique (tenant_id, code),
    constraint loans_outstanding_check check (outstanding = short_term + long_term),
    constraint loans_days_check check (first_due_on > starts_on),
    ${reference('loans', 'partner_id', 'partners')},
    ${ACCOUNTS.map((account) => reference('loans', account, 'accounts')).join(',\n    ')}
  `,
  )}
  create index loans_list on loans (tenant_id, name, id);
  create index loans_partner on loans (tenant_id, partner_id) where partner_id is not null;
  create index loans_next on loans (tenant_id, next_on) where next_on is not null;
  create policy loans_system on loans for select to ${SYSTEM_ROLE} using (next_on is not null);
  grant select on loans to ${SYSTEM_ROLE};
  ${annotated('loans')}

  ${tenantTable(
    'loan_movements',
    'What has changed loans. What is undone stays, with its opposite.',
    `
    loan_id uuid not null, -- Loan
    kind text not null check (kind in ('drawing', 'instalment', 'repayment', 'reclassification')), -- What happened
    date date not null, -- Day on which it counts
    short_term numeric(20,6) not null, -- Change of the short-term principal
    long_term numeric(20,6) not null, -- Change of the long-term principal
    interest numeric(20,6) not null, -- Interest paid
    fee numeric(20,6) not null, -- Fee paid
    entry_id uuid, -- Journal entry; null where nothing was paid or moved
    before jsonb not null, -- State of the loan before it
    standing boolean not null, -- Whether it counts: neither undone nor the opposite of what is undone
    undoes_id uuid, -- Movement that this one undoes
    created_by uuid, -- User who entered it; null for the service
    created_at timestamptz not null, -- When it was entered
    ${reference('loan_movements', 'loan_id', 'loans', 'on delete cascade')},
    ${reference('loan_movements', 'entry_id', 'journal_entries')}
  `,
    { versioned: false, grants: 'select, insert, update' },
  )}
  create index loan_movements_loan on loan_movements (tenant_id, loan_id, id);
  create index loan_movements_entry on loan_movements (tenant_id, entry_id) where entry_id is not null;
`;
