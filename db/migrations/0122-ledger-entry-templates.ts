import { annotated, tenantTable } from './schema.ts';

/** Templates by which entries are made. */
export const up = `
  ${tenantTable(
    'entry_templates',
    'Templates of journal entries: accounts with shares of an amount, or amounts of their own.',
    `
    code text not null, -- Code
    name text not null, -- Name
    description text, -- Text of its entries
    lines jsonb not null, -- Accounts with their side, the percentage or amount, and whom and what they are assigned to
    active boolean not null, -- Whether entries can be made by it
    constraint entry_templates_code_key unique (tenant_id, code)
  `,
  )}
  create index entry_templates_list on entry_templates (tenant_id, name, id);
  ${annotated('entry_templates')}
`;
