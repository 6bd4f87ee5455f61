/** Reads a group: the books of its companies, each with the rights that the requester has there at that moment (decision 0367). */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import type { Decimal } from '../../../domain/money.ts';
import {
  type Consolidated,
  consolidate,
  type PlacedCompany,
} from '../../../domain/reports/consolidation/consolidate.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import { AccountMap, type Mapping } from '../../../domain/reports/consolidation/mapping.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { inOtherCompany } from '../../platform/visibility/other-companies.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type CompanyBooks, type Days, type InGroup, readBooks } from './company-books.ts';

/** The right that is needed in each company. */
const NEEDED = 'reports:accounting';
/** Codes that a refusal names. */
const MOST_CODES = 20;

type Asked = Pick<ReportRequest, 'reader' | 'ctx' | 'range' | 'settings' | 'accountChart' | 'language'>;

/** A company of the group at the end of the period. */
interface Member extends InGroup {
  readonly joinedOn: string;
  readonly name: string;
  readonly ownershipPercent: Decimal;
  readonly acquiredEquity: Decimal | null;
  readonly investment: GroupAccount | null;
  readonly mappings: readonly Mapping[];
}

/** A column of the statements. */
export interface GroupColumn {
  readonly companyId: string;
  readonly name: string;
  readonly ownershipPercent: Decimal;
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
 * Reads the group of the requesting company as it is at the end of the period.
 * @param asked of a report that is read from one snapshot
 * @throws ServiceError forbidden if the requester lacks the right to read accounting reports in a company; invalid_transition if one has
 * not agreed, or its currency, fiscal year or accounts do not fit
 */
export async function readGroup(asked: Asked): Promise<Group> {
  const { ctx, range, settings, accountChart, language } = asked;
  const trx = transaction(asked.reader);
  const days: Days = { ...range, year: yearStart(settings.company.fiscalYearStart, range.to) };
  const members = await query<Member>(trx, MEMBERS_SQL, { to: range.to });
  const parent: InGroup = { companyId: ctx.tenantId, joinedOn: null };
  const group = [parent, ...members];
  const chart = await query<GroupAccount>(trx, 'select code, name, type from accounts', {});
  const columns = new Map(group.map(({ companyId }, column) => [companyId, column]));
  const own = await readBooks(trx, ctx, days, parent, group);
  const placed: PlacedCompany[] = [place(own, columns, (account) => account, WHOLE)];
  for (const member of members) {
    const found = await inOtherCompany(trx, ctx, { companyId: member.companyId, permission: NEEDED }, async (there) => {
      const { chart: code } = await checkMember(trx, ctx, settings.company, member);
      return { books: await readBooks(trx, there, days, member, group), isSameChart: code === accountChart.code };
    });
    if (found === null) throw refusal(ctx, member);
    const map = new AccountMap(chart, member.mappings, found.result.isSameChart);
    placed.push(placeMember(found.result.books, columns, map, member));
  }
  return {
    ...consolidate(placed, settings.format.decimalPrecision, language),
    companies: [
      { companyId: ctx.tenantId, name: settings.company.name, ownershipPercent: WHOLE.ownershipPercent },
      ...members.map(({ companyId, name, ownershipPercent }) => ({ companyId, name, ownershipPercent })),
    ],
    withoutInvestment: members.filter(({ investment }) => investment === null).map(({ name }) => name),
  };
}

const NOTHING = { end: '0', year: '0', period: '0' } as const;
const WHOLE = { ownershipPercent: '100' as Decimal, investment: null, acquiredEquity: null };

/** Companies can be entered within a transaction alone; reports with several statements have one. */
function transaction(reader: Reader): Db {
  if ('run' in reader) throw new Error('consolidated reports are read from one snapshot');
  return reader;
}

function refusal({ userId }: Context, { name }: Member): ServiceError {
  return new ServiceError(
    'forbidden',
    userId === null
      ? 'Consolidated reports are made for people, because an API key or plugin belongs to one company'
      : `You need the right to read accounting reports in ${name}, too`,
  );
}

/** Checks, within a company, that it agrees and fits. @throws ServiceError invalid_transition */
async function checkMember(
  trx: Db,
  { tenantId }: Context,
  parent: Asked['settings']['company'],
  { name }: Member,
): Promise<{ readonly chart: string }> {
  const [agreed] = await query(trx, 'select 1 from parent_companies where company_id = :tenantId::uuid', { tenantId });
  if (agreed === undefined) {
    const how = 'an administrator of it agrees with POST /api/parent-companies';
    throw new ServiceError('invalid_transition', `${name} has not agreed to be consolidated; ${how}`);
  }
  const { currency, fiscalYearStart } = await loadSettings(trx, 'company');
  if (currency !== parent.currency) {
    const words = `${name} cannot be consolidated because its currency is ${currency}, not ${parent.currency}`;
    throw new ServiceError('invalid_transition', words);
  }
  if (fiscalYearStart !== parent.fiscalYearStart) {
    const words = `${name} cannot be consolidated because its fiscal year begins on another day`;
    throw new ServiceError('invalid_transition', words);
  }
  return await loadSettings(trx, 'accounting');
}

function placeMember(
  books: CompanyBooks,
  columns: ReadonlyMap<string, number>,
  map: AccountMap,
  member: Member,
): PlacedCompany {
  const missing = [...books.accounts, ...books.mutual].filter((account) => map.find(account) === undefined);
  if (missing.length > 0) {
    const codes = [...new Set(missing.map(({ code }) => code))];
    const listed = codes.slice(0, MOST_CODES).join(', ') + (codes.length > MOST_CODES ? ' …' : '');
    const how = 'map them with POST /api/group-account-mappings';
    throw new ServiceError(
      'invalid_transition',
      `${member.name} has accounts that stand on none of this company: ${listed}; ${how}`,
    );
  }
  return place(books, columns, (account) => map.find(account) as GroupAccount, member);
}

function place(
  { accounts, mutual }: CompanyBooks,
  columns: ReadonlyMap<string, number>,
  target: (account: GroupAccount) => GroupAccount,
  { ownershipPercent, investment, acquiredEquity }: Pick<Member, 'ownershipPercent' | 'investment' | 'acquiredEquity'>,
): PlacedCompany {
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  return {
    ...{ ownershipPercent, investment, acquiredEquity },
    accounts: accounts.map((account) => ({ ...account, account: target(account) })),
    // An account without a balance of its own may still have one with each of several partners.
    mutual: mutual.map((one) => ({
      ...one,
      account: target(one),
      other: columns.get(one.other) as number,
      own: byCode.get(one.code) ?? NOTHING,
    })),
  };
}
