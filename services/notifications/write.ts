/** Writes notifications: one statement for all recipients, with their events. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Notification } from '../../db/models/notifications.ts';
import { prepared } from '../../db/sql.ts';
import { PUSH_DUE } from '../../domain/internal-events.ts';
import type { NoticeText } from '../../domain/notifications/texts.ts';
import type { NotificationType } from '../../domain/notifications/types.ts';
import { NOTIFICATION_CREATED } from '../../domain/webhooks/events.ts';
import { isListenedTo } from '../outbox/interest.ts';
import { signalUsers } from './channel.ts';

export interface NewNotification extends NoticeText {
  readonly userId: string;
  /** Whether it goes to their browsers too. */
  readonly pushes: boolean;
  readonly type: NotificationType;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly actionUrl?: string | undefined;
}

/** A company's notifications get their ids one transaction after the other: who has seen one has seen all before it. */
const LOCK_SQL = `select pg_advisory_xact_lock(hashtextextended('notifications:' || current_setting('app.tenant_id'), 0))`;

export async function writeNotifications(trx: Db, ctx: Context, all: readonly NewNotification[]): Promise<void> {
  if (all.length === 0) return;
  const { tenantId } = ctx;
  const [, listened] = await Promise.all([prepared(trx, LOCK_SQL, {}), isListenedTo(trx, NOTIFICATION_CREATED)]);
  const changes = new Changes(ctx);
  const at = ctx.now.toISOString();
  const rows = all.map(({ userId, type, title, body, metadata = null, actionUrl = null, actionLabel = null }) => {
    const told = { userId, type, title, body, metadata, actionUrl, actionLabel };
    return { ...told, id: newId(), version: 1, read: false, createdAt: at, updatedAt: at };
  });
  changes.insert(Notification, rows);
  for (const [nth, { id, userId, type, title, body }] of rows.entries()) {
    const payload = { notification_id: id, type, title, body, user_id: userId, tenant_id: tenantId };
    const event = { name: NOTIFICATION_CREATED, payload };
    const entity = { type: Notification.entityType, id };
    changes.emit(entity, listened ? event : { ...event, only: 'note' });
    if (all[nth]?.pushes === true) changes.emit(entity, { name: PUSH_DUE, payload: {} });
  }
  const userIds = rows.map(({ userId }) => userId);
  await Promise.all([changes.write(trx), signalUsers(trx, tenantId, userIds)]);
}
