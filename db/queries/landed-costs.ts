/** SQL of landed costs. */
import { companyCost } from './company-amounts.ts';
import { STATE } from './document-states.ts';

/**
 * The amount left to spread of a line of a purchase invoice: without what was credited, and what was spread.
 * @param line alias of document_lines
 */
export function leftOfCharge(line: string): string {
  return `(${companyCost(line)}
      + coalesce((select sum(${companyCost('r')}) from document_lines r join documents e on e.id = r.document_id
        where r.base_line_id = ${line}.id and e.rectifies is not null and e.posted_at is not null and e.status <> ${STATE.cancelled}), 0)
      - coalesce((select sum(c.amount) from landed_cost_charges c join landed_costs t on t.id = c.landed_cost_id
        where c.document_line_id = ${line}.id and t.status = 'posted'), 0))`;
}
