import { annotated, describe, reference, tenantTable } from './schema.ts';

const OF_PARTNERS = `
    dunning_paused boolean not null default false, -- Whether it is reminded of nothing`;
const OF_DOCUMENTS = `
    dunning_paused boolean not null default false, -- Whether its partner is not reminded of it
    dunning_level integer not null default 0, -- Level of the last reminder of it; 0 for none`;

/** Reminders of overdue invoices, in levels. */
export const up = `
  ${tenantTable(
    'dunning_levels',
    'Levels of reminders.',
    `
    level integer not null check (level between 1 and 999), -- Level, from 1
    name text not null, -- Name
    days integer not null check (days between 1 and 3650), -- Days overdue from which it is reached
    fee numeric(20,6) not null default 0 check (fee >= 0), -- Fee that is claimed
    -- Interest a year in percent; null for none
    interest_percent numeric(9,4) check (interest_percent between 0 and 100),
    subject text, -- Subject of the mail, a template; null for the usual one
    body text, -- Text of the mail, a template; null for the usual one
    active boolean not null default true, -- Whether it is in use
    constraint dunning_levels_level_key unique (tenant_id, level)
  `,
  )}
  ${annotated('dunning_levels')}

  ${tenantTable(
    'dunnings',
    'Reminders that were made, each for one customer.',
    `
    code text not null, -- Number
    date date not null, -- Day
    partner_id uuid not null, -- Customer
    level integer not null, -- Highest level of its invoices
    lines jsonb not null, -- Invoices with what is open, days overdue, interest and level
    outstanding numeric(20,6) not null, -- Sum of what is open
    interest numeric(20,6) not null, -- Interest claimed
    fee numeric(20,6) not null, -- Fee claimed
    total numeric(20,6) not null, -- Sum of all
    currency char(3) not null, -- Currency
    email_id uuid, -- Mail that was queued; null for a customer without an address
    created_by uuid, -- User who made it
    constraint dunnings_code_key unique (tenant_id, code),
    ${reference('dunnings', 'partner_id', 'partners')}
  `,
  )}
  create index dunnings_partner on dunnings (tenant_id, partner_id, date, id);
  create index dunnings_date on dunnings (tenant_id, date, id);

  alter table partners add column dunning_paused boolean not null default false;
  alter table documents add column dunning_paused boolean not null default false, add column dunning_level integer not null default 0;
  ${describe('partners', 'Customers and suppliers.', OF_PARTNERS)}
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
`;
