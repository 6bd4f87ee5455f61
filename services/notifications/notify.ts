/** Notifications to people in the company, each with its event. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Membership } from '../../db/models/identity.ts';
import { Notification } from '../../db/models/notifications.ts';
import type { NotificationType } from '../../domain/notifications/types.ts';
import type { Role } from '../../domain/permissions.ts';

/** A title, a message, and a link. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Ids of what it is about. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly actionUrl?: string;
  readonly actionLabel?: string;
}

/** Notifies the owners and administrators of the company, within the transaction that causes it. */
export async function alertAdmins(trx: Db, ctx: Context, notice: Notice): Promise<void> {
  await alert(trx, ctx, ['owner', 'admin'], notice);
}

/** Notifies one user, within the transaction that causes it. */
export async function notifyUser(
  trx: Db,
  ctx: Context,
  userId: string,
  type: 'task_completed',
  notice: Notice,
): Promise<void> {
  const changes = new Changes(ctx);
  addNotice(changes, ctx, userId, type, notice);
  await changes.write(trx);
}

/** Notifies only the owners. */
export async function alertOwners(trx: Db, ctx: Context, notice: Notice): Promise<void> {
  await alert(trx, ctx, ['owner'], notice);
}

async function alert(trx: Db, ctx: Context, roles: readonly Role[], notice: Notice): Promise<void> {
  const recipients = await Membership.query(trx)
    .where({ active: true })
    .whereIn('role', [...roles])
    .orderBy('id');
  const changes = new Changes(ctx);
  for (const { userId } of recipients as Membership[]) addNotice(changes, ctx, userId, 'system_alert', notice);
  await changes.write(trx);
}

function addNotice(
  changes: Changes,
  { tenantId }: Context,
  userId: string,
  type: NotificationType,
  notice: Notice,
): void {
  const id = newId();
  const { title, body } = notice;
  const payload = { notification_id: id, type, title, body, user_id: userId, tenant_id: tenantId };
  changes.create(Notification, { ...notice, id, userId, type }, [{ name: 'notification.created', payload }]);
}
