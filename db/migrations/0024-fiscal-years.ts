import { reference, tenantTable } from './schema.ts';

const ENTRIES = ['stock_entry_id', 'regularisation_id', 'closing_id', 'opening_id'] as const;

/** Fiscal years that have been closed at least once: with which entries, and which of their periods that closed. */
export const up = `
  ${tenantTable(
    'fiscal_years',
    `year integer not null,
     "from" date not null,
     "to" date not null,
     status text not null check (status in ('open', 'closed')),
     -- Profit, or loss below zero; null while it is open.
     result numeric(20,6),
     ${ENTRIES.map((column) => `${column} uuid,`).join('\n')}
     closed_periods uuid[] not null default '{}',
     constraint fiscal_years_year_key unique (tenant_id, year),
     ${ENTRIES.map((column) => reference('fiscal_years', column, 'journal_entries')).join(',\n')}`,
  )}
  create index journal_lines_tax_group on journal_lines (tenant_id, tax_group_id) where tax_group_id is not null;
`;
