import { reference, tenantTable } from './schema.ts';

/** Rules for lines of bank statements, and the rule that accepted a line. */
export const up = `
  ${tenantTable(
    'bank_rules',
    `name text not null,
     position integer not null,
     active boolean not null,
     accept boolean not null,
     bank_account_id uuid,
     text text,
     direction text check (direction in ('in', 'out')),
     amount_from numeric(20,6),
     amount_to numeric(20,6),
     counterparty_id uuid,
     account_id uuid not null,
     tax_group_id uuid,
     partner_id uuid,
     project_id uuid,
     cost_center_id uuid,
     entry_text text,
     -- A rule without a text, a partner or one exact amount would take every line.
     constraint bank_rules_selective check (text is not null or counterparty_id is not null or coalesce(amount_from = amount_to, false)),
     ${reference('bank_rules', 'bank_account_id', 'bank_accounts')},
     ${reference('bank_rules', 'counterparty_id', 'partners')},
     ${reference('bank_rules', 'account_id', 'accounts')},
     ${reference('bank_rules', 'tax_group_id', 'taxes')},
     ${reference('bank_rules', 'partner_id', 'partners')},
     ${reference('bank_rules', 'project_id', 'projects')},
     ${reference('bank_rules', 'cost_center_id', 'cost_centers')}`,
  )}
  create index bank_rules_list on bank_rules (tenant_id, position, id);

  alter table bank_statement_lines add column rule_id uuid,
    add ${reference('bank_statement_lines', 'rule_id', 'bank_rules')};
`;
