/** Reads the books of one company of a group, within that company. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { FIRST_DAY } from '../../../domain/days.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import type { GroupSpan } from '../../../domain/reports/consolidation/companies.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import type { BookAccount, BookMutual, CompanyBooks } from '../../../domain/reports/consolidation/place.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { balanceIn } from '../accounting/annual-accounts.ts';

/** A company in its group. */
export interface InGroup {
  readonly companyId: string;
  /** First day in the group; null for the parent. */
  readonly joinedOn: string | null;
}

/** The company that is read. */
interface Own extends InGroup {
  /** First day of its own fiscal year. */
  readonly year: string;
  /** Whether its currency is another: income and expense are then read by months, too. */
  readonly isForeign: boolean;
}

/** Days of the statements: the period, and the first day of the parent's fiscal year of its end. */
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
  own: Own,
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
    ownYear: own.year,
    first: from < year ? from : year,
    results: RESULT_TYPES,
    inMonths: own.isForeign,
  });
  const accounts = balances.map((balance): BookAccount => {
    const amounts = { end: balanceIn(balance, 'end'), year: balanceIn(balance, 'year') };
    return { id: balance.accountId, ...named(balance), ...amounts, period: balanceIn(balance, 'period'), months: [] };
  });
  if (!own.isForeign) return { accounts, mutual };
  return { accounts: await withMonths(trx, tenantId, accounts, spans, [own.joinedOn ?? FIRST_DAY, year]), mutual };
}

/**
 * Adds the months of income and expense, also of accounts that have nothing left in the spans.
 * @param days the first in the group, and that of the parent's fiscal year
 */
async function withMonths(
  trx: Db,
  tenantId: string,
  accounts: readonly BookAccount[],
  spans: Readonly<Record<'year' | 'period', Span>>,
  [joinedOn, year]: readonly [string, string],
): Promise<BookAccount[]> {
  const earlier: Span = { from: joinedOn < year ? joinedOn : year, before: year, kinds: 'normal' };
  const sought = { tenantId, spans: { year: spans.year, period: spans.period, earlier }, types: RESULT_TYPES };
  const found = groupBy(await readBalances(trx, { ...sought, by: ['month'] }), ({ accountId }) => accountId);
  const known = new Set(accounts.map(({ id }) => id));
  const ended = [...found]
    .filter(([id]) => !known.has(id))
    .flatMap(([id, [first]]) => (first === undefined ? [] : [{ id, ...named(first), ...NOTHING, months: [] }]));
  return [...accounts, ...ended].map((account): BookAccount => {
    const months = (found.get(account.id) ?? []).map((balance) => ({
      month: balance.month,
      year: balanceIn(balance, 'year'),
      period: balanceIn(balance, 'period'),
      earlier: balanceIn(balance, 'earlier'),
    }));
    return { ...account, months };
  });
}

const NOTHING = { end: '0', year: '0', period: '0' } as const;

function named({ code, name, type }: GroupAccount): GroupAccount {
  return { code, name, type };
}

function later(day: string, other: string | null): string {
  return other !== null && other > day ? other : day;
}

const RESULT_SINCE = (day: string) =>
  `coalesce(sum(amount) filter (where of_result and kind = 'normal' and date >= greatest(${day}::date, since)), 0)`;

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
  ), monthly as (
    select code, name, type, other, date_trunc('month', date::timestamp)::date as month,
      coalesce(sum(amount) filter (
        where not of_result and (kind not in ('regularisation', 'closing') or date < :ownYear::date)), 0) as "end",
      ${RESULT_SINCE(':year')} as year, ${RESULT_SINCE(':from')} as period
    from placed group by code, name, type, other, month)
  select code, name, type, other, sum("end")::text as "end", sum(year)::text as year, sum(period)::text as period,
    coalesce(json_agg(json_build_object('month', month, 'year', year::text, 'period', period::text))
      filter (where :inMonths::boolean and (year <> 0 or period <> 0)), '[]'::json) as months
  from monthly group by code, name, type, other
  having sum("end") <> 0 or bool_or(year <> 0 or period <> 0)`;
