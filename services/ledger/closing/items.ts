/** SQL of checks that list themselves what is open, since no list of the interface has it. */
import { EXCESSIVE_SINCE } from '../../../db/queries/bad-debts.ts';

/** Items that an answer has at most. */
export const MOST_ITEMS = 100;

/** A row that a check has found. */
export interface OpenItem {
  /** Null for what is in no table, such as a return that is missing. */
  readonly id: string | null;
  readonly name: string;
  /** Where to see it. */
  readonly path: string;
}

/** The one row of a check. @param rows SQL of `id`, `name` and `path` */
export function listed(rows: string): string {
  return `select count(*), null::numeric as amount,
      coalesce(json_agg(json_build_object('id', id, 'name', name, 'path', path) order by place) filter (where place <= ${MOST_ITEMS}),
        '[]'::json) as items
    from (select id, name, path, row_number() over (order by name, path) as place from (${rows}) listed) placed`;
}

/** Entries that the service makes on their day, and has not made. */
export const DUE_ENTRIES = listed(`select p.deferral_id as id, concat_ws(' ', p.date, d.description) as name,
      '/api/' || case when d.document_id is null then 'journal-entries/' || d.entry_id
        else case doc.doc_type when 'SINV' then 'sales' else 'purchases' end || '/invoices/' || d.document_id end as path
    from deferral_parts p join deferrals d on d.id = p.deferral_id left join documents doc on doc.id = d.document_id
    where p.recognised_on is null and p.date <= :to::date
  union all select e.id, concat_ws(' ', r.date, e.description), '/api/journal-entries/' || e.id
    from planned_reversals r join journal_entries e on e.id = r.entry_id where r.date <= :to::date
  union all select l.id, concat_ws(' ', l.next_on, l.code, l.name), '/api/loans/' || l.id from loans l where l.next_on <= :to::date
  union all select "documentId", concat_ws(' ', date, code), '/api/sales/invoices/' || "documentId"
    from (${EXCESSIVE_SINCE}) provisions where date <= :to::date`);

/** Balances in other currencies. @param where condition on the lines `l` that count, beside their day */
export function unrevalued(where: string): string {
  return listed(`select open.account_id as id, concat_ws(' ', a.code, a.name, p.name, open.currency) as name,
      '/api/reports/ledger?account_id=' || a.id || coalesce('&partner_id=' || p.id, '') || '&from=' || to_char(:from::date, 'YYYY-MM-DD')
        || '&to=' || to_char(:to::date, 'YYYY-MM-DD') as path
    from (select l.account_id, l.partner_id, l.currency from journal_lines l
      where l.currency is not null and l.date <= :to::date and ${where}
      group by 1, 2, 3 having sum(l.currency_amount) <> 0) open
    join accounts a on a.id = open.account_id left join partners p on p.id = open.partner_id
    where not exists (select from exchange_revaluations r where r.date = :to::date and r.cancelled_at is null)`);
}
