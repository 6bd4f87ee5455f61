/** What a user chooses of notifications, in each company by itself. */
import type { Context } from '../../db/context.ts';
import type { Db, Reader } from '../../db/database.ts';
import { NotificationSetting } from '../../db/models/notifications.ts';
import { findRow } from '../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow } from '../../db/write.ts';
import { type NotificationSettings, withDefaultChoices } from '../../domain/notifications/types.ts';

/** A user's choices with their version for the ETag; 0 before the first change. */
export interface VersionedChoices {
  readonly value: NotificationSettings;
  readonly version: number;
}

/** The choices of a user, with defaults for what was never chosen. */
export async function settingsOf(reader: Reader, userId: string): Promise<VersionedChoices> {
  const row = await findRow(reader, NotificationSetting, { userId });
  return { value: withDefaultChoices(row?.value), version: row?.version ?? 0 };
}

/** Changes choices of the calling user. @throws ServiceError stale_version, and duplicate for two first changes at once */
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
  return { value: withDefaultChoices(row.value), version: row.version };
}
