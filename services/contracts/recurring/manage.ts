/** Recurring documents: made, changed, paused, resumed and removed. They belong to the company, not to whoever made them. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { findRow } from '../../../db/queries/find.ts';
import { prepared } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { firstPeriod, type Period, periodAfter, periodFrom } from '../../../domain/contracts/recurring/periods.ts';
import type { RecurringType } from '../../../domain/contracts/recurring/types.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { adjustmentsFor } from './adjustments.ts';
import { assertFewDue, checkForm, completed, INDEX_MONTHS } from './check.ts';
import { lastPeriod, nextMembers, toPlan } from './plan.ts';
import type { RecurringChanges, RecurringInput } from './schemas.ts';
import { checkedTemplate, givenTemplate } from './template.ts';

/** Maximum recurring documents of a company. */
const MAX_RECURRING = 50_000;

/**
 * Creates a recurring document.
 * @throws ServiceError validation_failed (with pointers into the template, too), not_found, invalid_transition
 */
export async function createRecurring(trx: Db, ctx: Context, input: RecurringInput): Promise<RecurringDocument> {
  const { timezone } = await loadSettings(trx, 'format');
  const today = localDay(ctx.now, timezone);
  const values = completed(input, today);
  checkForm(values);
  await assertRoom(trx, ctx);
  const given = await givenTemplate(trx, ctx, input);
  const { template, partnerId } = await checkedTemplate(trx, ctx, values, given);
  const first = firstPeriod(toPlan(values));
  if (first === null) throw invalidMember('/ends_on', 'out_of_range', 'must leave room for a first document');
  assertFewDue(toPlan(values), first, today);
  return await insertRow(trx, ctx, RecurringDocument, {
    ...values,
    ...nextMembers(first, timezone),
    ...{ template, partnerId, adjustments: [], active: true, made: 0, createdBy: ctx.userId },
  });
}

async function assertRoom(trx: Db, { tenantId }: Context): Promise<void> {
  // Without the lock, two concurrent requests could both find room.
  await lockName(trx, `recurring_documents:${tenantId}`);
  const [found] = await prepared<{ many: boolean }>(
    trx,
    'select count(*) >= :most::integer as many from (select 1 from recurring_documents limit :most::integer) r',
    { most: MAX_RECURRING },
  );
  if (found?.many !== true) return;
  const message = `cannot be added because there are already ${MAX_RECURRING} recurring documents; delete some`;
  throw invalidMember('', 'too_many', message);
}

/**
 * Changes the given members.
 * @throws ServiceError not_found, stale_version, validation_failed
 */
export async function changeRecurring(
  trx: Db,
  ctx: Context,
  id: string,
  input: RecurringChanges,
  ifMatch: number | null,
): Promise<RecurringDocument> {
  const current = await lockRecurring(trx, id);
  assertVersion(current, ifMatch);
  const { timezone } = await loadSettings(trx, 'format');
  const { template: given, prorate_from: prorateFrom, ...members } = input;
  const values = renamed(members, current);
  const next = { ...current, ...values } as RecurringDocument;
  checkForm(next);
  const reprices = next.price !== current.price && given === undefined;
  const checked =
    given === undefined && !reprices ? {} : await checkedTemplate(trx, ctx, next, given ?? current.template);
  const adjustments =
    prorateFrom == null
      ? current.adjustments
      : await adjustmentsFor(trx, current, given === undefined ? null : checked, prorateFrom);
  const period = await nextPeriod(trx, next);
  return await patchRow(trx, ctx, RecurringDocument, current, {
    ...values,
    ...checked,
    ...{ adjustments, ...nextMembers(period, timezone) },
  });
}

/**
 * The next period after a change of the end. One that has ended begins again if its end is later now.
 * @throws ServiceError validation_failed for an end before what was made
 */
async function nextPeriod(trx: Db, row: RecurringDocument): Promise<Period | null> {
  const plan = toPlan(row);
  const last = await lastPeriod(trx, row.id);
  if (row.count !== null && row.count < row.made) {
    throw invalidMember('/count', 'out_of_range', `must be at least ${row.made}, as many as were made`);
  }
  if (row.prorate && row.endsOn !== null && last !== null && row.endsOn < last.to) {
    const message = `must not be before ${last.to}, up to which documents were made; rectify the last one for an earlier end`;
    throw invalidMember('/ends_on', 'out_of_range', message);
  }
  if (row.made === row.count) return null;
  if (row.nextFrom !== null) return periodFrom(plan, row.nextFrom);
  return last === null ? firstPeriod(plan) : periodAfter(plan, last);
}

/** Members by their names in the database. Without an index, nothing says when prices rise. */
function renamed(
  input: Omit<RecurringChanges, 'template' | 'prorate_from'>,
  current: RecurringDocument,
): Partial<RecurringDocument> {
  const { name, ends_on, count, mode, price, index_percent: percent, index_months: months, missed } = input;
  const standard = percent === undefined ? undefined : percent === null ? null : (current.indexMonths ?? INDEX_MONTHS);
  const values = {
    ...{ name, endsOn: ends_on, count, mode, price, missed, indexMonths: months ?? standard },
    indexPercent: percent == null ? percent : String(percent),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Stops a recurring document until it is resumed. @throws ServiceError not_found, stale_version */
export async function pauseRecurring(
  trx: Db,
  ctx: Context,
  id: string,
  ifMatch: number | null,
): Promise<RecurringDocument> {
  const current = await lockRecurring(trx, id);
  assertVersion(current, ifMatch);
  return await patchRow(trx, ctx, RecurringDocument, current, { active: false });
}

/**
 * Resumes a recurring document.
 * @param catchUp whether periods that were due while it was paused are charged; otherwise the first one due from today on is the next
 * @throws ServiceError not_found, stale_version
 */
export async function resumeRecurring(
  trx: Db,
  ctx: Context,
  id: string,
  catchUp: boolean,
  ifMatch: number | null,
): Promise<RecurringDocument> {
  const current = await lockRecurring(trx, id);
  assertVersion(current, ifMatch);
  if (current.active) return current;
  const { timezone } = await loadSettings(trx, 'format');
  const today = localDay(ctx.now, timezone);
  const plan = toPlan(current);
  let period = current.nextFrom === null ? null : periodFrom(plan, current.nextFrom);
  if (catchUp) assertFewDue(plan, period, today, '/catch_up');
  else while (period !== null && period.dueOn < today) period = periodAfter(plan, period);
  return await patchRow(trx, ctx, RecurringDocument, current, { active: true, ...nextMembers(period, timezone) });
}

/** Deletes a recurring document that has made nothing. @throws ServiceError not_found, stale_version, invalid_transition */
export async function removeRecurring(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const current = await lockRecurring(trx, id);
  assertVersion(current, ifMatch);
  if (current.made > 0) {
    throw new ServiceError(
      'invalid_transition',
      'It cannot be deleted because it has made documents; end it by ends_on, or pause it',
    );
  }
  await removeRow(trx, ctx, RecurringDocument, current);
}

/** Finds one of some types. @throws ServiceError not_found, also for those of other types */
export async function findRecurring(
  reader: Reader,
  id: string,
  types: readonly RecurringType[],
): Promise<RecurringDocument> {
  const found = await findRow(reader, RecurringDocument, { id });
  if (found === undefined || !types.includes(found.documentType)) throw notFound('This recurring document');
  return found;
}

/** Locks a recurring document, so that it runs once at a time. @throws ServiceError not_found */
export async function lockRecurring(trx: Db, id: string): Promise<RecurringDocument> {
  const found = (await RecurringDocument.query(trx).findById(id).forNoKeyUpdate()) as RecurringDocument | undefined;
  if (found === undefined) throw notFound('This recurring document');
  return found;
}
