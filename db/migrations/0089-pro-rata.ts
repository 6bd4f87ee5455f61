/** What regularised the pro rata of years. Until now nothing was deducted by it. */
import { reference, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'pro_rata_adjustments',
    `year integer not null,
     percent numeric(9,4) not null check (percent between 0 and 100),
     -- Of the ledger at that moment: net sales with the right to deduct and all that count, the tax that is common, and what was deducted.
     with_right numeric(20,6) not null,
     operations numeric(20,6) not null,
     subject numeric(20,6) not null,
     deducted numeric(20,6) not null,
     difference numeric(20,6) not null,
     entry_id uuid,
     ${reference('pro_rata_adjustments', 'entry_id', 'journal_entries')}`,
    { grants: 'select, insert' },
  )}
  create index pro_rata_adjustments_year on pro_rata_adjustments (tenant_id, year);
`;
