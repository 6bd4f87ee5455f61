/** A user's notification settings, separate for each company. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { NotificationSetting } from '../../../db/models/messages/notifications.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { summaryDay } from '../../../domain/messages/notifications/summary-day.ts';
import { type NotificationSettings, withDefaultChoices } from '../../../domain/messages/notifications/types.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** A user's choices, with their version for the ETag: 0 before the first change. */
export interface VersionedChoices {
  readonly value: NotificationSettings;
  readonly version: number;
}

/** Loads a user's choices, completed with the defaults. */
export async function loadChoices(reader: Reader, userId: string): Promise<VersionedChoices> {
  const row = await findRow(reader, NotificationSetting, { userId });
  return { value: withDefaultChoices(row?.value), version: row?.version ?? 0 };
}

/** Changes a user's choices. @throws ServiceError stale_version, and duplicate for two concurrent first changes */
export async function changeSettings(
  trx: Db,
  ctx: Context,
  userId: string,
  chosen: Partial<NotificationSettings>,
  ifMatch: number | null,
): Promise<VersionedChoices> {
  const current = await findRow(trx, NotificationSetting, { userId });
  assertVersion({ version: current?.version ?? 0 }, ifMatch);
  if (current === undefined && Object.keys(chosen).length === 0) return { value: withDefaultChoices(null), version: 0 };
  const value = { ...current?.value, ...chosen };
  const row =
    current === undefined
      ? await insertRow(trx, ctx, NotificationSetting, { userId, value })
      : await patchRow(trx, ctx, NotificationSetting, current, { value });
  if (value.email_enabled === true && current?.value.email_enabled !== true) await startTomorrow(trx, ctx, userId);
  return { value: withDefaultChoices(row.value), version: row.version };
}

/** Starts summaries tomorrow for a user who subscribes after today's was due. */
async function startTomorrow(trx: Db, { now }: Context, userId: string): Promise<void> {
  const { timezone } = await loadSettings(trx, 'format');
  const day = summaryDay(now, timezone);
  if (day !== null) await markSummaries(trx, [userId], day);
}

/** Marks the summaries of a day as done, which does not count as a change of the choices. */
export async function markSummaries(trx: Db, userIds: readonly string[], day: string): Promise<void> {
  await query(
    trx,
    `update notification_settings set summary_on = greatest(summary_on, :day::date) where user_id = any(:userIds::uuid[])`,
    { day, userIds: [...userIds] },
  );
}

/** Marks the summaries of a day as done for everybody in the company who wants them. */
export async function markAllSummaries(trx: Db, day: string): Promise<void> {
  const sql = `update notification_settings s set summary_on = greatest(summary_on, :day::date) where ${SUBSCRIBED}`;
  await query(trx, sql, { day });
}

/** SQL condition: the user wants a daily summary. */
export const SUBSCRIBED = `s.value ->> 'email_enabled' = 'true'`;

/**
 * Lists companies in which somebody wants a summary and has not had the one of a day, ordered by id.
 * @param trx across companies
 * @param after id of the last company seen
 */
export async function listCompaniesAwaitingSummaries(
  trx: Db,
  day: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await query<{ tenantId: string }>(
    trx,
    `select distinct s.tenant_id as "tenantId" from notification_settings s
     where ${SUBSCRIBED} and (s.summary_on is null or s.summary_on < :day::date) and s.tenant_id > :after::uuid
     order by 1 limit :limit::integer`,
    { day, after, limit },
  );
  return rows.map(({ tenantId }) => tenantId);
}
