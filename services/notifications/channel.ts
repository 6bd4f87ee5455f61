/**
 * Tells the API processes what their clients wait for. PostgreSQL sends it when the transaction commits, never before and never without it;
 * transactions that use it commit one after the other, so postings do not.
 */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';

export const NOTIFICATIONS_CHANNEL = 'notifications';

/** Users of a company have new notifications, or a task has got further. */
export type Signal =
  | { readonly tenantId: string; readonly userIds: readonly string[] }
  | { readonly tenantId: string; readonly taskId: string; readonly viewer: string };

/** PostgreSQL takes 8000 bytes at a time. */
const USERS_AT_A_TIME = 150;

/** Says that users have new notifications. */
export async function signalUsers(trx: Db, tenantId: string, userIds: readonly string[]): Promise<void> {
  const all = [...new Set(userIds)];
  const signals: Promise<void>[] = [];
  for (let from = 0; from < all.length; from += USERS_AT_A_TIME) {
    signals.push(signal(trx, { tenantId, userIds: all.slice(from, from + USERS_AT_A_TIME) }));
  }
  await Promise.all(signals);
}

/** Says that a task has got further or ended, to whoever asked for it. */
export async function signalTask(
  trx: Db,
  { tenantId }: { readonly tenantId: string },
  { id, createdBy, actor }: { readonly id: string; readonly createdBy: string | null; readonly actor: string | null },
): Promise<void> {
  const viewer = createdBy ?? actor;
  if (viewer !== null) await signal(trx, { tenantId, taskId: id, viewer });
}

async function signal(trx: Db, told: Signal): Promise<void> {
  await prepared(trx, `select pg_notify('${NOTIFICATIONS_CHANNEL}', :told)`, { told: JSON.stringify(told) });
}
