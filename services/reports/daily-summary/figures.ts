/** Figures of a daily summary, limited to what its reader may currently see. */

import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { prepared, query } from '../../../db/sql.ts';
import { dayBefore, daysAfter } from '../../../domain/days.ts';
import { SUMMARY_HOUR } from '../../../domain/messages/notifications/summary-day.ts';
import type { DueSide, Summary } from '../../../domain/messages/notifications/summary-text.ts';
import type { NotificationType } from '../../../domain/messages/notifications/types.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { instantAtWallTime } from '../../../domain/records/tables/times.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { dimensionBindings } from '../accounting/dimension-filters.ts';
import { openParts } from '../payments/open-parts.ts';

/** Date of the summary, in the company's time zone. */
export interface SummaryDate {
  readonly day: string;
  readonly timezone: string;
}

/** The part of a summary that is the same for everybody who may see it. */
export interface CompanyFigures {
  readonly customers: DueSide;
  readonly suppliers: DueSide;
}

/** Days that count as soon, including today. */
const SOON_DAYS = 7;

/** Reads the amounts due from customers and to suppliers. */
export async function companyFigures(reader: Reader, { day }: SummaryDate, now: Date): Promise<CompanyFigures> {
  return { customers: await dues(reader, 'in', day, now), suppliers: await dues(reader, 'out', day, now) };
}

const dueSql = (direction: PaymentDirection) => `${openParts(direction)}
  select count(*) filter (where due_date < :day::date)::integer as "overdueCount",
    coalesce(sum(debt) filter (where due_date < :day::date), 0)::text as "overdueTotal",
    count(*) filter (where due_date >= :day::date)::integer as "soonCount",
    coalesce(sum(debt) filter (where due_date >= :day::date), 0)::text as "soonTotal"
  from parts where debt > 0 and due_date <= :last::date`;

interface DueRow {
  readonly overdueCount: number;
  readonly overdueTotal: Decimal;
  readonly soonCount: number;
  readonly soonTotal: Decimal;
}

/** Computes due amounts like the aging report at the end of the day. */
async function dues(reader: Reader, direction: PaymentDirection, day: string, now: Date): Promise<DueSide> {
  const [row] = await query<DueRow>(reader, dueSql(direction), {
    to: day,
    from: null,
    partner: null,
    currency: null,
    ...dimensionBindings({}),
    now: now.toISOString(),
    day,
    last: daysAfter(day, SOON_DAYS - 1),
  });
  if (row === undefined) throw new Error('the statement always returns one row');
  return {
    overdue: { count: row.overdueCount, total: row.overdueTotal },
    soon: { count: row.soonCount, total: row.soonTotal },
  };
}

const OWN = `select
  (select coalesce(json_agg(json_build_object('type', type, 'count', n) order by type), '[]') from (
    select type, count(*) as n from notifications
    where user_id = :userId and not read and created_at >= :since::timestamptz group by type) u) as unread,
  (select count(*)::integer from tasks where created_by = :userId and status = 'failed' and completed_at >= :since::timestamptz)
    as "failedTasks",
  (select coalesce(json_agg(json_build_object('type', doc_type, 'count', n)), '[]') from (
    select doc_type, count(*) as n from documents where status = ${STATE.draft} and doc_type = any(:types::text[])
    group by doc_type) d) as drafts`;

interface OwnRow {
  readonly unread: readonly { readonly type: NotificationType; readonly count: number }[];
  readonly failedTasks: number;
  readonly drafts: readonly { readonly type: DocType; readonly count: number }[];
}

/**
 * Builds one person's summary: their own news since eight o'clock the day before, and the company figures that they may see. Drafts are
 * shown only to people who can act on them.
 */
export async function summaryFor(
  reader: Reader,
  userId: string,
  permissions: ReadonlySet<Permission>,
  { day, timezone }: SummaryDate,
  company: () => Promise<CompanyFigures>,
): Promise<Summary> {
  const types = DOC_TYPES.filter((type) => permissions.has(`${DOCUMENT_TYPES[type].resource}:update`));
  const since = instantAtWallTime(Date.parse(`${dayBefore(day)}T0${SUMMARY_HOUR}:00:00Z`), timezone);
  const [own] = await prepared<OwnRow>(reader, OWN, { userId, since, types });
  if (own === undefined) throw new Error('the statement always returns one row');
  const { unread, failedTasks } = own;
  const drafts = DOC_TYPES.flatMap((type) => own.drafts.filter((one) => one.type === type));
  const dues = permissions.has('reports:accounting') ? await company() : { customers: null, suppliers: null };
  return { ...dues, drafts, failedTasks, unread };
}
