/** Notifies people in the company, within the transaction that causes it. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { NoticeText } from '../../../domain/messages/notifications/types.ts';
import { isWanted, type NotificationType } from '../../../domain/messages/notifications/types.ts';
import type { Role } from '../../../domain/permissions.ts';
import { findRecipients } from './recipients.ts';
import { writeNotifications } from './write.ts';

/** Text in English and Spanish; each recipient gets it in their language. */
export interface Notice extends NoticeText {
  readonly es: NoticeText;
  /** Ids of the records concerned. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly actionUrl?: string;
}

/**
 * Notifies the owners and administrators of the company.
 * @param userIds further users to notify
 */
export async function alertAdmins(
  trx: Db,
  ctx: Context,
  notice: Notice,
  userIds: readonly string[] = [],
): Promise<void> {
  await notify(trx, ctx, { roles: ['owner', 'admin'], userIds }, 'system_alert', notice);
}

/** Notifies the owners, not the administrators. @param userIds further users to notify */
export async function alertOwners(
  trx: Db,
  ctx: Context,
  notice: Notice,
  userIds: readonly string[] = [],
): Promise<void> {
  await notify(trx, ctx, { roles: ['owner'], userIds }, 'system_alert', notice);
}

/** Notifies all members of some roles. @param userIds further users to notify */
export async function notifyRoles(
  trx: Db,
  ctx: Context,
  roles: readonly Role[],
  type: NotificationType,
  notice: Notice,
  userIds: readonly string[] = [],
): Promise<void> {
  await notify(trx, ctx, { roles, userIds }, type, notice);
}

/** Notifies one user, if they are an active member. */
export async function notifyUser(
  trx: Db,
  ctx: Context,
  userId: string,
  type: NotificationType,
  notice: Notice,
): Promise<void> {
  await notifyUsers(trx, ctx, [userId], type, notice);
}

/** Notifies those of the users who are active members. */
export async function notifyUsers(
  trx: Db,
  ctx: Context,
  userIds: readonly string[],
  type: NotificationType,
  notice: Notice,
): Promise<void> {
  await notify(trx, ctx, { roles: [], userIds }, type, notice);
}

async function notify(
  trx: Db,
  ctx: Context,
  to: { readonly roles: readonly Role[]; readonly userIds: readonly string[] },
  type: NotificationType,
  { es, metadata, actionUrl, ...english }: Notice,
): Promise<void> {
  const recipients = await findRecipients(trx, to);
  const wanting = recipients.filter(({ choices }) => isWanted(type, choices, false));
  await writeNotifications(
    trx,
    ctx,
    wanting.map(({ userId, pushes, formats }) => {
      const text = formats.language === 'es' ? es : english;
      return { ...text, userId, pushes, type, metadata, actionUrl };
    }),
  );
}
