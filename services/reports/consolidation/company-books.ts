/** Reads the books of one company of a group, within that company. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { FIRST_DAY } from '../../../domain/days.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { GroupSpan } from '../../../domain/reports/consolidation/consolidate.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { balanceIn } from '../accounting/annual-accounts.ts';

type Amounts = Readonly<Record<GroupSpan, Decimal>>;

/** An account with its balances, debit − credit. */
export type BookAccount = GroupAccount & Amounts;

/** The part of an account that is about another company of the group. */
export interface BookMutual extends BookAccount {
  /** Id of that company. */
  readonly other: string;
}

export interface CompanyBooks {
  readonly accounts: readonly BookAccount[];
  readonly mutual: readonly BookMutual[];
}

/** A company in its group. */
export interface InGroup {
  readonly companyId: string;
  /** First day in the group; null for the parent. */
  readonly joinedOn: string | null;
}

/** Days of the statements: the period, and the first day of the fiscal year of its end. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly year: string;
}

/**
 * Reads the balances of a company, and what of them is with others of the group: lines that name a partner who is one of them, income of
 * sales invoices to it, and expense of purchase invoices from it. Income and expense count since both are in the group.
 */
export async function readBooks(
  trx: Db,
  { tenantId }: Pick<Context, 'tenantId'>,
  { from, to, year }: Days,
  own: InGroup,
  group: readonly InGroup[],
): Promise<CompanyBooks> {
  const spans: Record<GroupSpan, Span> = {
    end: { to, kinds: 'unclosed' },
    year: { from: later(year, own.joinedOn), to, kinds: 'normal' },
    period: { from: later(from, own.joinedOn), to, kinds: 'normal' },
  };
  const balances = await readBalances(trx, { tenantId, spans });
  const others = group.filter(({ companyId }) => companyId !== own.companyId);
  const mutual = await query<BookMutual>(trx, MUTUAL_SQL, {
    others: others.map(({ companyId }) => companyId),
    since: others.map(({ joinedOn }) => later(joinedOn ?? FIRST_DAY, own.joinedOn)),
    ...{ from, to, year },
    first: from < year ? from : year,
    results: RESULT_TYPES,
  });
  return {
    accounts: balances.map((balance) => {
      const { code, name, type } = balance;
      const amounts = { end: balanceIn(balance, 'end'), year: balanceIn(balance, 'year') };
      return { code, name, type, ...amounts, period: balanceIn(balance, 'period') };
    }),
    mutual,
  };
}

function later(day: string, other: string | null): string {
  return other !== null && other > day ? other : day;
}

const RESULT_SINCE = (day: string) =>
  `coalesce(sum(amount) filter (where of_result and kind = 'normal' and date >= greatest(${day}::date, since)), 0)::text`;

/** Lines of invoices name no partner but that of what is owed; those of deferred parts have the invoice as their source. */
const MUTUAL_SQL = `with marked as materialized (
    select p.id, o.id as other, o.since
    from unnest(:others::uuid[], :since::date[]) as o(id, since) join partners p on p.company_id = o.id
  ), found as (
    select l.account_id, m.other, m.since, l.date, l.kind, l.debit - l.credit as amount, null as type
    from marked m join journal_lines l on l.partner_id = m.id and l.date <= :to::date
    union all
    select l.account_id, m.other, m.since, l.date, l.kind, l.debit - l.credit, case d.doc_type when 'SINV' then 'income' else 'expense' end
    from marked m join documents d on d.partner_id = m.id and d.doc_type in ('SINV', 'PINV') and d.date <= :to::date
      join journal_entries e on e.source_id = d.id and e.status = 'posted' and e.date between :first::date and :to::date
      join journal_lines l on l.entry_id = e.id and l.partner_id is null
  ), placed as (
    select a.code, a.name, a.type, f.other, f.since, f.date, f.kind, f.amount, a.type = any(:results::text[]) as of_result
    from found f join accounts a on a.id = f.account_id where f.type is null or f.type = a.type
  ), summed as (
    select code, name, type, other,
      coalesce(sum(amount) filter (
        where not of_result and (kind not in ('regularisation', 'closing') or date < :year::date)), 0)::text as "end",
      ${RESULT_SINCE(':year')} as year, ${RESULT_SINCE(':from')} as period
    from placed group by code, name, type, other)
  select * from summed where "end"::numeric <> 0 or year::numeric <> 0 or period::numeric <> 0`;
