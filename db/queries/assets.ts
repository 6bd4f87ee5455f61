/** SQL of fixed assets. */
import { inherited } from './categories.ts';
import { companyCost, inCompany } from './company-amounts.ts';
import { STATE } from './document-states.ts';

/** Credits of a line: amounts of posted rectifications that are based on it. @param amount SQL of that of a line `r` */
function credited(line: string, amount: string): string {
  return `coalesce((select sum(${amount}) from document_lines r join documents e on e.id = r.document_id
    where r.base_line_id = ${line}.id and e.rectifies is not null and e.posted_at is not null and e.status <> ${STATE.cancelled}), 0)`;
}

/**
 * The amount left of a line of a purchase invoice: without what was credited, and what is part of the cost of assets.
 * @param line alias of document_lines
 */
export function leftToCapitalise(line: string): string {
  return `(${companyCost(line)} + ${credited(line, companyCost('r'))}
    - coalesce((select sum(m.cost) from asset_movements m where m.document_line_id = ${line}.id and m.standing
      and m.kind in ('acquisition', 'improvement')), 0))`;
}

/**
 * The amount left of a line of a sales invoice: without what was credited, and the proceeds of disposals.
 * @param line alias of document_lines
 */
export function leftOfSale(line: string): string {
  return `(${inCompany(line, 'amount')} + ${credited(line, inCompany('r', 'amount'))}
    - coalesce((select sum(m.proceeds) from asset_movements m where m.document_line_id = ${line}.id and m.standing
      and m.kind = 'disposal'), 0))`;
}

/**
 * The account that a line names, or its item, or the item's category.
 * @param line alias of document_lines
 * @param item alias of items, which may be missing
 */
export function namedAccount(line: string, item: string, side: 'sales' | 'purchase'): string {
  const column = `${side}_account_id`;
  return `coalesce(${line}.account_id, ${item}.${column}, ${inherited(`${item}.category_id`, `c.${column}`)})`;
}
