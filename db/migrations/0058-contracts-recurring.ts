import { reference, tenantTable } from './schema.ts';

/** Documents and entries that are made again and again, and the runs that have made them. */
export const up = `
  ${tenantTable(
    'recurring_documents',
    'Agreements by which a document or an entry is made again and again.',
    `
    name text not null, -- Name
    document_type text not null, -- Type of what is made: sales_invoice and the like, or journal_entry
    template jsonb not null, -- What is made, as a client would send it, without its date
    adjustments jsonb not null default '[]', -- Lines that the next document has besides, for changes within a period
    partner_id uuid, -- Partner of its documents; null for entries
    unit text, -- Unit of the interval: day, week, month or year; null with a cron expression
    every integer, -- Number of units
    on_day integer, -- Of months and years: the day of the month, 31 for the last one
    cron text, -- Cron expression of the days; null with a unit
    starts_on date not null, -- First day that is charged
    ends_on date, -- Last day that is charged; null for none
    count integer, -- Number of documents after which it ends; null for none
    billed_at text not null, -- start or end of the period
    prorate boolean not null, -- Whether periods cut short are charged by their days
    mode text not null, -- draft, post, or send: post and send
    price text not null, -- fixed, or current: those of the day
    index_percent numeric(10, 4), -- Rise of fixed prices in percent; null for none
    index_months integer, -- Months after which prices rise
    missed text not null, -- What is made of those that were missed: all, last or none
    active boolean not null, -- Whether it runs
    next_from date, -- First day of the next period; null once it has ended
    next_on date, -- Day on which the next one is due; null once it has ended
    next_at timestamptz, -- Instant at which that day begins in the company's time zone
    made integer not null default 0, -- Number of those made
    created_by uuid, -- User who made it; null for a program
    constraint recurring_documents_interval_check check ((cron is null) = (unit is not null)),
    constraint recurring_documents_next_check check ((next_from is null) = (next_on is null) and (next_from is null) = (next_at is null)),
    ${reference('recurring_documents', 'partner_id', 'partners')}
  `,
    { systemGrants: 'select' },
  )}
  create index recurring_documents_due on recurring_documents (next_at, tenant_id) where active and next_at is not null;
  create index recurring_documents_next on recurring_documents (tenant_id, next_on, id) where active and next_on is not null;
  create index recurring_documents_listed on recurring_documents (tenant_id, created_at desc, id desc);
  create index recurring_documents_partner on recurring_documents (tenant_id, partner_id) where partner_id is not null;
  ${tenantTable(
    'recurring_runs',
    'What was made by recurring documents, period by period.',
    `
    recurring_id uuid not null, -- Recurring document
    number integer not null, -- Number of the document from 1; 0 if none was made
    period_from date not null, -- First day of the period
    period_to date not null, -- Last day of the period
    due_on date not null, -- Day on which it was due
    outcome text not null, -- made, skipped or failed
    reason text, -- Why it failed or was not sent; null if everything was done
    document_id uuid, -- Document that was made
    entry_id uuid, -- Entry that was made
    created_at timestamptz not null, -- When it ran
    constraint recurring_runs_period_key unique (tenant_id, recurring_id, period_from),
    constraint recurring_runs_outcome_check check (outcome in ('made', 'skipped', 'failed')),
    ${reference('recurring_runs', 'recurring_id', 'recurring_documents', 'on delete cascade')},
    ${reference('recurring_runs', 'document_id', 'documents', 'on delete set null (document_id)')},
    ${reference('recurring_runs', 'entry_id', 'journal_entries', 'on delete set null (entry_id)')}
  `,
    { versioned: false },
  )}
  create index recurring_runs_document on recurring_runs (tenant_id, document_id) where document_id is not null;
  create index recurring_runs_entry on recurring_runs (tenant_id, entry_id) where entry_id is not null;
  create index recurring_runs_ran on recurring_runs (tenant_id, created_at);
  create index recurring_runs_listed on recurring_runs (tenant_id, recurring_id, due_on desc, id desc);
`;
