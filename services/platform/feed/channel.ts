/**
 * Signals news for connected clients to the API processes. PostgreSQL sends signals exactly when the transaction commits. It serializes
 * commits of transactions that signal, so postings do not signal.
 */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';

export const NOTIFICATIONS_CHANNEL = 'notifications';

/** Users of a company have new notifications, or a task has progressed. */
export type Signal =
  | { readonly tenantId: string; readonly userIds: readonly string[] }
  | { readonly tenantId: string; readonly taskId: string; readonly viewer: string };

/** Maximum users per signal: PostgreSQL limits payloads to 8000 bytes. */
const USERS_PER_SIGNAL = 150;

/** Signals that users have new notifications. */
export async function signalUsers(trx: Db, tenantId: string, userIds: readonly string[]): Promise<void> {
  const all = [...new Set(userIds)];
  const signals: Promise<void>[] = [];
  for (let from = 0; from < all.length; from += USERS_PER_SIGNAL) {
    signals.push(signal(trx, { tenantId, userIds: all.slice(from, from + USERS_PER_SIGNAL) }));
  }
  await Promise.all(signals);
}

/** Signals that a task has progressed or ended, to the user or program that started it. */
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
