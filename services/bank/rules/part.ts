/** What a rule says a line is, as a client would. */
import type { SuggestedRule } from '../../../domain/bank/suggestion.ts';
import type { Target } from '../parts.ts';

/** The account of the rule; its tax is that of the line's day. */
export function partOf(rule: SuggestedRule): Target & { readonly rule_id: string } {
  const { id, accountId, taxGroupId, partnerId, projectId, costCenterId, entryText } = rule;
  return {
    rule_id: id,
    account_id: accountId,
    ...(taxGroupId === null ? {} : { tax_group_id: taxGroupId, followRate: true }),
    ...(partnerId === null ? {} : { partner_id: partnerId }),
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(costCenterId === null ? {} : { cost_center_id: costCenterId }),
    ...(entryText === null ? {} : { text: entryText }),
  };
}
