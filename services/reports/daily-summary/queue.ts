/** Queues the daily summaries that are due, company by company; each person's day is marked in the transaction that queues their mail. */

import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { latestSummaryDay, summaryDay } from '../../../domain/messages/notifications/summary-day.ts';
import { isEmptySummary, summarySubject } from '../../../domain/messages/notifications/summary-text.ts';
import { type MailLimits, queuePacedMail } from '../../messages/mail/queue.ts';
import { listCompaniesAwaitingSummaries, markSummaries, SUBSCRIBED } from '../../messages/notifications/settings.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type CompanyFigures, companyFigures, type SummaryDate, summaryFor } from './figures.ts';

/** Companies per query, and people of one company per transaction. */
const COMPANIES = 100;
const PEOPLE = 50;
/** Older summaries are not sent: yesterday's figures are no news. */
const GIVEN_UP_AFTER_MS = 12 * 3_600_000;
const HOUR_MS = 3_600_000;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Lists some companies in which a summary may be due, in order.
 * @param after the last company done; null at the beginning
 * @returns the companies, and the last of them; null if there are no more
 */
export async function companiesDue(database: Database, now: Date, after: string | null) {
  const day = latestSummaryDay(now);
  const companies = await database.withSystem((trx) =>
    listCompaniesAwaitingSummaries(trx, day, after ?? FIRST, COMPANIES),
  );
  return { companies, last: companies.length < COMPANIES ? null : (companies.at(-1) ?? null) };
}

export interface Batch {
  readonly limits: MailLimits;
  /** Called regularly, as a heartbeat. */
  readonly alive: () => void;
}

/**
 * Queues the summaries of a company. They have their own limit, as large as that of the company's other mails; the rest waits for a later
 * run.
 * @returns the number of mails queued; a repetition queues none again
 */
export async function queueSummaries(database: Database, ctx: Context, { limits, alive }: Batch): Promise<number> {
  const { timezone } = await loadSettings(database.reader(ctx), 'format');
  const day = summaryDay(ctx.now, timezone);
  if (day === null) return 0;
  const date = { day, timezone };
  let company: Promise<CompanyFigures> | undefined;
  const figures = (trx: Db) => {
    company ??= companyFigures(trx, date, ctx.now);
    return company;
  };
  let queued = 0;
  for (;;) {
    alive();
    const found = await database.withTenant(ctx, async (trx) => {
      return await queueSome(trx, ctx, date, figures, await roomFor(trx, ctx, limits));
    });
    queued += found.queued;
    if (found.over) return queued;
  }
}

const LAST_HOUR = `select count(*)::integer as queued from emails where kind = 'summary' and created_at > :since::timestamptz`;

/** Counts the people to whom a summary can be sent now. */
async function roomFor(trx: Db, { now }: Context, { recipientsPerHour: most }: MailLimits): Promise<number> {
  if (most === 0) return PEOPLE;
  const [last] = await query<{ queued: number }>(trx, LAST_HOUR, {
    since: new Date(now.getTime() - HOUR_MS).toISOString(),
  });
  return Math.min(PEOPLE, Math.max(0, most - (last?.queued ?? 0)));
}

interface Person extends StoredRights {
  readonly userId: string;
  readonly email: string;
  readonly locale: string | null;
}

/** Locks the rows, so that concurrent runs skip them. */
const PEOPLE_SQL = `select s.user_id as "userId", m.role, m.permissions, u.email, u.locale
  from notification_settings s
  join memberships m on m.user_id = s.user_id and m.active
  join users u on u.id = s.user_id and u.active
  where ${SUBSCRIBED} and (s.summary_on is null or s.summary_on < :day::date)
  order by s.id limit :most::integer for no key update of s skip locked`;

async function queueSome(
  trx: Db,
  ctx: Context,
  date: SummaryDate,
  figures: (trx: Db) => Promise<CompanyFigures>,
  most: number,
) {
  const people = most === 0 ? [] : await query<Person>(trx, PEOPLE_SQL, { day: date.day, most });
  if (people.length === 0) return { queued: 0, over: true };
  const [format, { name }] = [await loadSettings(trx, 'format'), await loadSettings(trx, 'company')];
  let queued = 0;
  for (const person of people) {
    const { userId, email, locale } = person;
    const permissions = heldPermissions(person);
    if (isEmptySummary(await summaryFor(trx, userId, permissions, date, () => figures(trx)))) continue;
    const subject = summarySubject({ formats: formatsFor(format, locale), companyName: name, day: date.day });
    const giveUpAt = new Date(ctx.now.getTime() + GIVEN_UP_AFTER_MS);
    await queuePacedMail(trx, ctx, { kind: 'summary', to: email, subject, entityId: userId, giveUpAt });
    queued++;
  }
  await markSummaries(
    trx,
    people.map(({ userId }) => userId),
    date.day,
  );
  return { queued, over: people.length < most };
}
