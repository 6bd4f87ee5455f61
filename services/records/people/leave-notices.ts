/** Notifies people of requests for leave, and of their decisions (decision 0252). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type Absence, Employee } from '../../../db/models/records/people.ts';
import { leaveDecided, leaveRequested, type NoticedLeave } from '../../../domain/messages/notifications/leave.ts';
import { isRole, ROLES, type Role, rolePermissions } from '../../../domain/permissions.ts';
import { writeDay } from '../../../domain/records/tables/times.ts';
import { notifyRoles, notifyUser } from '../../messages/notifications/notify.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { HookScope } from '../resources/declaration.ts';

/** Notifies those who can decide a request; nothing for other absences. */
export async function tellRequested({ trx, ctx }: HookScope, absence: Absence): Promise<void> {
  if (absence.status !== 'requested') return;
  const notice = leaveRequested(await noticedLeave(trx, absence));
  await notifyRoles(trx, ctx, deciders(), 'system_alert', { ...notice, ...about(absence) });
}

/** Notifies the user who requested leave of the decision, unless it is their own. @param absence as decided */
export async function tellDecided(trx: Db, ctx: Context, absence: Absence): Promise<void> {
  const { requestedBy, status } = absence;
  if (requestedBy === null || requestedBy === ctx.userId || status === 'requested') return;
  const notice = leaveDecided(await noticedLeave(trx, absence), status);
  await notifyUser(trx, ctx, requestedBy, 'system_alert', { ...notice, ...about(absence) });
}

function deciders(): Role[] {
  return Object.keys(ROLES)
    .filter(isRole)
    .filter((role) => rolePermissions(role).has('people:update'));
}

function about({ id }: Absence) {
  return { metadata: { absence_id: id }, actionUrl: `/api/absences/${id}` };
}

async function noticedLeave(trx: Db, { employeeId, from, to }: Absence): Promise<NoticedLeave> {
  const [employee, format] = await Promise.all([
    Employee.query(trx).findById(employeeId).throwIfNotFound(),
    loadSettings(trx, 'format'),
  ]);
  return { employee: employee.name, from: writeDay(from, format), to: writeDay(to, format) };
}
