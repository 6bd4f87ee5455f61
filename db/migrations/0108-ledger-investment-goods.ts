import { reference, tenantTable } from './schema.ts';

/** Regularisations of deductions on investment goods. */
export const up = `
  ${tenantTable(
    'good_regularisations',
    'Regularisations of deductions on investment goods, as the pro rata changes and when they are sold.',
    `
    line_id uuid not null, -- Line of the purchase invoice
    year integer not null, -- Calendar year that is regularised
    date date not null, -- Day of the entry
    reason text not null check (reason in ('yearly', 'disposal')), -- yearly, or disposal: the sale of the good
    percent numeric(9,4) not null check (percent between 0 and 100), -- Percentage that counts instead of the first one
    amount numeric(20,6) not null, -- Tax to deduct in addition; below zero to pay back
    entry_id uuid, -- Entry; null for none
    ${reference('good_regularisations', 'line_id', 'document_lines')},
    ${reference('good_regularisations', 'entry_id', 'journal_entries')}
  `,
    { grants: 'select, insert, delete' },
  )}
  create unique index good_regularisations_disposal on good_regularisations (tenant_id, line_id) where reason = 'disposal';
  create index good_regularisations_line on good_regularisations (tenant_id, line_id);
  create index good_regularisations_entry on good_regularisations (tenant_id, entry_id) where entry_id is not null;
`;
