/** Reads a company of a group that is not the parent, with the rights of whoever asks in it (decision 0367). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { PlacedCompany } from '../../../domain/reports/consolidation/companies.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import { AccountMap, type Mapping } from '../../../domain/reports/consolidation/mapping.ts';
import { type Placing, placeBooks } from '../../../domain/reports/consolidation/place.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { inOtherCompany } from '../../platform/visibility/other-companies.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type Days, type InGroup, readBooks } from './company-books.ts';
import { type DatedRates, readRates } from './read-rates.ts';

/** The right that is needed in each company. */
const NEEDED = 'reports:accounting';

/** The parent's own. */
export type Asked = Pick<ReportRequest, 'ctx' | 'settings' | 'accountChart'>;

/** A company of the group at the end of the period. */
export interface Member extends InGroup {
  readonly joinedOn: string;
  readonly name: string;
  readonly ownershipPercent: Decimal;
  readonly acquiredEquity: Decimal | null;
  readonly investment: GroupAccount | null;
  readonly mappings: readonly Mapping[];
}

/** A company with its books as they are in the group. */
export interface Placed {
  readonly companyId: string;
  readonly name: string;
  readonly ownershipPercent: Decimal;
  readonly currency: string;
  /** By which its books are translated; null in the parent's currency. */
  readonly rates: DatedRates | null;
  readonly company: PlacedCompany;
}

interface Sought {
  readonly days: Days;
  readonly member: Member;
  /** All companies. */
  readonly group: readonly InGroup[];
  /** With the accounts of the parent. */
  readonly placing: Placing & { readonly chart: readonly GroupAccount[] };
}

/**
 * Reads a company within it, then its rates within the parent.
 * @throws ServiceError forbidden without the right to read accounting reports in it; invalid_transition if it has not agreed, its accounts
 * do not fit, or there is no rate of its currency
 */
export async function readMember(trx: Db, asked: Asked, sought: Sought): Promise<Placed> {
  const { member, days, placing } = sought;
  const { companyId, name, joinedOn, ownershipPercent } = member;
  const { books, currency, isForeign, isSameChart } = await readWithin(trx, asked, sought);
  const rates = isForeign ? await readRates(trx, { name, joinedOn, currency, to: days.to }) : null;
  const map = new AccountMap(placing.chart, member.mappings, isSameChart);
  const company = placeBooks(books, map, { ...member, rates }, placing);
  return { companyId, name, ownershipPercent, currency, rates, company };
}

async function readWithin(trx: Db, { ctx, settings: { company }, accountChart }: Asked, sought: Sought) {
  const { days, member, group } = sought;
  const { companyId } = member;
  const found = await inOtherCompany(trx, ctx, { companyId, permission: NEEDED }, async (there) => {
    await assertAgreed(trx, ctx, member);
    const { currency, fiscalYearStart } = await loadSettings(trx, 'company');
    const { chart } = await loadSettings(trx, 'accounting');
    const isForeign = currency !== company.currency;
    const own = { ...member, year: yearStart(fiscalYearStart, days.to), isForeign };
    const books = await readBooks(trx, there, days, own, group);
    return { books, currency, isForeign, isSameChart: chart === accountChart.code };
  });
  if (found === null) throw refusal(ctx, member);
  return found.result;
}

function refusal({ userId }: Context, { name }: Member): ServiceError {
  return new ServiceError(
    'forbidden',
    userId === null
      ? 'Consolidated reports are made for people, because an API key or plugin belongs to one company'
      : `You need the right to read accounting reports in ${name}, too`,
  );
}

/** Checks, within a company, that it agrees. @throws ServiceError invalid_transition */
async function assertAgreed(trx: Db, { tenantId }: Context, { name }: Member): Promise<void> {
  const [agreed] = await query(trx, 'select 1 from parent_companies where company_id = :tenantId::uuid', { tenantId });
  if (agreed !== undefined) return;
  const how = 'an administrator of it agrees with POST /api/parent-companies';
  throw new ServiceError('invalid_transition', `${name} has not agreed to be consolidated; ${how}`);
}
