/** Notifications of events: of what was posted, sent, received and paid. */
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { type EventNotice, MEMBERS_TOLD, noticeOf } from '../../domain/notifications/texts.ts';
import { isWanted } from '../../domain/notifications/types.ts';
import { takeUntold, type UntoldEvent } from '../outbox/told.ts';
import { findRecipients, type Recipient } from './recipients.ts';
import { type NewNotification, writeNotifications } from './write.ts';

/** Events told in one transaction, which bounds its size in a company with many members. */
const AT_A_TIME = 50;

/** An event, how it is told, and who created what it is about. */
interface Told {
  readonly event: UntoldEvent;
  readonly notice: EventNotice;
  readonly creator: string | null;
}

/** Notifies the people whom events concern: each event once, however often this is repeated. */
export async function notifyOfEvents(
  database: Database,
  tenantId: string,
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  const ctx: Context = { tenantId, userId: null, actor: 'notifications', requestId: newId(), now };
  for (let from = 0; from < eventIds.length; from += AT_A_TIME) {
    await database.withTenant(ctx, async (trx) => {
      const events = await takeUntold(trx, eventIds.slice(from, from + AT_A_TIME), MEMBERS_TOLD);
      const told = events.flatMap((event): Told[] => {
        const notice = noticeOf(event);
        return notice === null ? [] : [{ event, notice, creator: event.data.created_by ?? null }];
      });
      if (told.length === 0) return;
      const recipients = await findRecipients(trx, {
        roles: [...new Set(told.flatMap(({ notice }) => notice.roles))],
        userIds: [...new Set(told.flatMap(({ creator }) => creator ?? []))],
      });
      await writeNotifications(
        trx,
        ctx,
        told.flatMap((one) => recipients.flatMap((recipient) => notificationTo(recipient, one))),
      );
    });
  }
}

function notificationTo(
  { userId, role, choices, pushes, formats }: Recipient,
  { event, notice, creator }: Told,
): NewNotification[] {
  const { type, roles, actionUrl, metadata, text } = notice;
  const isConcerned = roles.some((one) => one === role) || userId === creator;
  if (!isConcerned || !isWanted(type, choices, event.userId === userId)) return [];
  return [{ ...text(formats), userId, pushes, type, actionUrl, metadata }];
}
