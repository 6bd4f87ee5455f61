/** SQL of what is proposed as provision for debts by how long they are overdue. */
import { companyOutstanding, inCompany } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';
import { PLACES } from '../../platform/settings/format.ts';

/** Months overdue after which a provision is deductible (LIS, article 13.1.a). */
export const DEDUCTIBLE_AFTER = 6;

const USUAL = DEFAULT_SETTINGS.payments.debtAges.map(
  ({ months, percent }) => `jsonb_build_object('months', ${months}, 'percent', ${percent})`,
);
const AGES = `coalesce((select value -> 'debtAges' from settings where name = 'payments'), jsonb_build_array(${USUAL.join(', ')}))`;

/** Whether a debt that was due on a day is overdue for so many months on another. @param months SQL, or their number */
export function isOverdueFor(due: string, months: string | number, day: string): string {
  return `(${due} + make_interval(months => ${months}))::date <= ${day}`;
}

/** CTE `ages`: the percentages of the company, by the months from which they count. */
export const AGES_CTE = `ages as materialized (select months, percent from jsonb_to_recordset(${AGES}) a(months integer, percent numeric))`;

/** The percentage of a debt by its age; 0 while it has reached none. It needs AGES_CTE. */
export function percentByAge(due: string, day: string): string {
  return `coalesce((select a.percent from ages a where ${due} < ${day} and ${isOverdueFor(due, 'a.months', day)}
    order by a.months desc limit 1), 0)`;
}

/**
 * The next invoices with more to be provided than is, the oldest first. What a part of an invoice in another currency is worth follows
 * from its share of the whole.
 */
export const PROPOSED_SQL = `with ${AGES_CTE}, parts as (
    select d.id, coalesce(i.due_date, d.due_date, d.date) as due_date,
      coalesce(i.outstanding * ${inCompany('d', 'total')} / d.total, ${companyOutstanding('d')}) as open
    from documents d left join document_instalments i on i.document_id = d.id and i.outstanding_key > 0
    where d.doc_type = 'SINV' and d.status = ${STATE.open} and d.total > d.paid_total and d.date <= :date::date
      and (:partner::uuid is null or d.partner_id = :partner::uuid)
  ), proposals as (
    select p.id, min(p.due_date) as due_date, round(sum(p.open
        * case when p.due_date < :date::date then coalesce(:percentage::numeric, ${percentByAge('p.due_date', ':date::date')}) else 0 end)
        / 100, ${PLACES}) as proposed
    from parts p group by p.id
  )
  select p.id, p.proposed::text from proposals p left join bad_debts b on b.document_id = p.id
  where p.proposed > coalesce(b.provided, 0) order by p.due_date, p.id limit :limit::integer`;
