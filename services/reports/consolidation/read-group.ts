/** Reads a group: the books of its companies, each with the rights that the requester has there at that moment (decision 0367). */
import type { Db, Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { OwnAccount, PlacedCompany } from '../../../domain/reports/consolidation/companies.ts';
import { type Consolidated, consolidate } from '../../../domain/reports/consolidation/consolidate.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import { OwnLines } from '../../../domain/reports/consolidation/own-accounts.ts';
import { placeBooks } from '../../../domain/reports/consolidation/place.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type Days, readBooks } from './company-books.ts';
import { readAdjustments } from './read-adjustments.ts';
import { type Asked, type Member, type Placed, readMember } from './read-member.ts';

/** A column of the statements. */
export interface GroupColumn extends Omit<Placed, 'company'> {
  /** Its accounts, by the codes of those of the parent on which they stand. */
  readonly sources: ReadonlyMap<string, readonly OwnAccount[]>;
}

export interface Group extends Consolidated {
  /** The parent first. */
  readonly companies: readonly GroupColumn[];
  /** Names of companies whose investment is not set off, because no account of it is named. */
  readonly withoutInvestment: readonly string[];
}

const MEMBERS_SQL = `select g.company_id as "companyId", g.name, g.ownership_percent::text as "ownershipPercent", g.joined_on as "joinedOn",
    g.acquired_equity::text as "acquiredEquity",
    case when a.id is null then null else json_build_object('code', a.code, 'name', a.name, 'type', a.type) end as investment,
    coalesce((select json_agg(json_build_object('beginning', m.beginning, 'code', t.code))
      from group_account_mappings m join accounts t on t.id = m.account_id where m.group_company_id = g.id), '[]'::json) as mappings
  from group_companies g left join accounts a on a.id = g.investment_account_id
  where g.joined_on <= :to::date and (g.left_on is null or g.left_on >= :to::date) order by g.name, g.id`;

/**
 * Reads the group of the requesting company as it is at the end of the period. Members are read one after the other, because all are
 * within one transaction.
 * @param asked of a report that is read from one snapshot
 * @throws ServiceError forbidden if the requester lacks the right to read accounting reports in a company; invalid_transition if one has
 * not agreed, its accounts do not fit, or there is no rate of its currency
 */
export async function readGroup(asked: Asked & Pick<ReportRequest, 'reader' | 'range' | 'language'>): Promise<Group> {
  const { ctx, range, settings, language } = asked;
  const trx = transaction(asked.reader);
  const days: Days = { ...range, year: yearStart(settings.company.fiscalYearStart, range.to) };
  const members = await query<Member>(trx, MEMBERS_SQL, { to: range.to });
  const { name, currency } = settings.company;
  const parent = { companyId: ctx.tenantId, joinedOn: null, name, ...WHOLE };
  const group = [parent, ...members];
  const adjustments = await readAdjustments(trx, days);
  const places = settings.format.decimalPrecision;
  const placing = {
    chart: await query<GroupAccount>(trx, 'select code, name, type from accounts', {}),
    columns: new Map(group.map(({ companyId }, column) => [companyId, column])),
    lines: new OwnLines(language),
    places,
  };
  const own = await readBooks(trx, ctx, days, { ...parent, year: days.year, isForeign: false }, group);
  const placed: Placed[] = [{ ...parent, currency, company: placeBooks(own, null, parent, placing) }];
  for (const member of members) placed.push(await readMember(trx, asked, { days, member, group, placing }));
  return {
    ...consolidate({ companies: placed.map(({ company }) => company), adjustments }, places, language),
    companies: placed.map(({ company, ...column }) => ({ ...column, sources: ownAccounts(company) })),
    withoutInvestment: members.filter(({ investment }) => investment === null).map((one) => one.name),
  };
}

const WHOLE = { ownershipPercent: '100' as Decimal, investment: null, acquiredEquity: null, rates: null };

function ownAccounts({ accounts }: PlacedCompany): GroupColumn['sources'] {
  const standing = accounts.flatMap(({ account, source }) =>
    source === undefined ? [] : [{ code: account.code, source }],
  );
  const byCode = groupBy(standing, ({ code }) => code);
  return new Map([...byCode].map(([code, found]) => [code, found.map(({ source }) => source)]));
}

/** Companies can be entered within a transaction alone; reports with several statements have one. */
function transaction(reader: Reader): Db {
  if ('run' in reader) throw new Error('consolidated reports are read from one snapshot');
  return reader;
}
