/** Reads the rules of a company, in the order in which they apply. */
import type { Reader } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import type { RuleConditions } from '../../../../domain/bank/statements/rules.ts';
import type { SuggestedRule } from '../../../../domain/bank/statements/suggestion.ts';

export interface Rule extends RuleConditions, SuggestedRule {
  readonly accept: boolean;
}

const RULES_SQL = `select r.id, r.name, r.accept, r.bank_account_id as "bankAccountId", r.text, r.direction,
    r.amount_from::text as "amountFrom", r.amount_to::text as "amountTo",
    case when c.id is not null then json_build_object('name', c.name, 'iban', c.iban) end as counterparty,
    r.account_id as "accountId", a.code as "accountCode", r.tax_group_id as "taxGroupId", r.partner_id as "partnerId",
    p.name as "partnerName", r.project_id as "projectId", r.cost_center_id as "costCenterId", r.entry_text as "entryText"
  from bank_rules r
  join accounts a on a.id = r.account_id
  left join partners c on c.id = r.counterparty_id
  left join partners p on p.id = r.partner_id`;
const ORDER = 'order by r.position, r.id';

/** Loads active rules. @param accepting only those that accept lines automatically */
export async function activeRules(reader: Reader, { accepting = false } = {}): Promise<Rule[]> {
  return query<Rule>(reader, `${RULES_SQL} where r.active ${accepting ? 'and r.accept' : ''} ${ORDER}`, {});
}

/** Loads a rule, active or not; undefined if there is none. */
export async function ruleById(reader: Reader, id: string): Promise<Rule | undefined> {
  const [rule] = await query<Rule>(reader, `${RULES_SQL} where r.id = :id::uuid`, { id });
  return rule;
}
