import { concurrently } from './concurrent-indexes.ts';

/** The lines that a rule accepted, which a deletion of the rule looks for too. */
export const up = concurrently({
  name: 'bank_statement_lines_rule',
  table: 'bank_statement_lines',
  of: '(tenant_id, rule_id) where rule_id is not null',
});
