/** Callers other than people, and their names in the audit log. */

/** A caller with its own key. */
export interface Machine {
  readonly kind: 'api_key' | 'plugin';
  readonly id: string;
}

/** `api_key:<id>` or `plugin:<id>` */
export function machineActor({ kind, id }: Machine): string {
  return `${kind}:${id}`;
}

/** The machine named by an actor of the audit log; null for workflows and people. */
export function parseMachine(actor: string | null): Machine | null {
  const [kind, id] = actor?.split(':') ?? [];
  return (kind === 'api_key' || kind === 'plugin') && id !== undefined ? { kind, id } : null;
}

/** The id of the plugin behind an actor; null for anybody else. */
export function pluginOfActor(actor: string | null): string | null {
  const machine = parseMachine(actor);
  return machine?.kind === 'plugin' ? machine.id : null;
}

/** A unique name for any caller, used to keep their data apart: `user:<id>`, or the machine's actor. */
export function callerName({
  userId,
  machine,
}: {
  readonly userId: string | null;
  readonly machine: Machine | null;
}): string {
  return machine === null ? `user:${userId}` : machineActor(machine);
}
