/** Filed tax returns. Until now none could be filed. */
import { reference, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'tax_returns',
    `model text not null check (model in ('130', '303', '390')),
     year integer not null,
     period text not null,
     "from" date not null,
     "to" date not null,
     type text not null check (type in ('I', 'C', 'D', 'B', 'N')),
     result numeric(20,6) not null,
     refund boolean not null,
     boxes jsonb not null,
     overrides jsonb not null,
     carry numeric(20,6) not null,
     entry_id uuid,
     created_by uuid,
     ${reference('tax_returns', 'entry_id', 'journal_entries')},
     constraint tax_returns_period_key unique (tenant_id, model, "to", "from")`,
  )}
`;
