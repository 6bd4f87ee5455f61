/** Names of callers that are no people, as the audit log has them. */
import type { Identity, Machine } from './authenticate.ts';

/** `api_key:<id>` */
export function actorOf({ kind, id }: Machine): string {
  return `${kind}:${id}`;
}

/** One name for any caller, for what each has of their own: `user:<id>`, or the machine's. */
export function callerName({ userId, machine }: Pick<Identity, 'userId' | 'machine'>): string {
  return machine === null ? `user:${userId}` : actorOf(machine);
}
