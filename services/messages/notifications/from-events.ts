/** Notifies people of events: documents posted or sent, payments received or made. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { type EventNotice, eventNotice, NOTICE_MEMBERS } from '../../../domain/messages/notifications/texts.ts';
import { isWanted } from '../../../domain/messages/notifications/types.ts';
import { claimUnnotified, type UnnotifiedEvent } from '../../platform/outbox/notified.ts';
import { findRecipients, type Recipient } from './recipients.ts';
import { type NewNotification, writeNotifications } from './write.ts';

/** Events per transaction, which bounds its size in a company with many members. */
const BATCH_SIZE = 50;

/** An event with its notice and the creator of its record. */
interface NotifiedEvent {
  readonly event: UnnotifiedEvent;
  readonly notice: EventNotice;
  readonly creator: string | null;
}

/** Notifies the people whom events concern: once per event, however often this is repeated. */
export async function notifyOfEvents(
  database: Database,
  tenantId: string,
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  const ctx: Context = { tenantId, userId: null, actor: 'notifications', requestId: newId(), now };
  for (let from = 0; from < eventIds.length; from += BATCH_SIZE) {
    await database.withTenant(ctx, async (trx) => {
      const events = await claimUnnotified(trx, eventIds.slice(from, from + BATCH_SIZE), NOTICE_MEMBERS);
      const notified = events.flatMap((event): NotifiedEvent[] => {
        const notice = eventNotice(event);
        return notice === null ? [] : [{ event, notice, creator: event.data.created_by ?? null }];
      });
      if (notified.length === 0) return;
      const recipients = await findRecipients(trx, {
        roles: [...new Set(notified.flatMap(({ notice }) => notice.roles))],
        userIds: [...new Set(notified.flatMap(({ creator }) => creator ?? []))],
      });
      await writeNotifications(
        trx,
        ctx,
        notified.flatMap((one) => recipients.flatMap((recipient) => notificationTo(recipient, one))),
      );
    });
  }
}

function notificationTo(
  { userId, role, permissions, choices, pushes, formats }: Recipient,
  { event, notice, creator }: NotifiedEvent,
): NewNotification[] {
  const { type, needs, roles, actionUrl, metadata, text } = notice;
  if (needs !== null && !permissions.has(needs)) return [];
  const isConcerned = roles.some((one) => one === role) || userId === creator;
  if (!isConcerned || !isWanted(type, choices, event.userId === userId)) return [];
  return [{ ...text(formats), userId, pushes, type, actionUrl, metadata }];
}
