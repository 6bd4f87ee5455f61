/** Callers that are no people, and their names in the audit log. */

/** A machine: it calls with a key of its own. */
export interface Machine {
  readonly kind: 'api_key' | 'plugin';
  readonly id: string;
}

/** `api_key:<id>` or `plugin:<id>` */
export function machineActor({ kind, id }: Machine): string {
  return `${kind}:${id}`;
}

/** The machine that an actor of the audit log names; null for workflows and people. */
export function parseMachine(actor: string | null): Machine | null {
  const [kind, id] = actor?.split(':') ?? [];
  return (kind === 'api_key' || kind === 'plugin') && id !== undefined ? { kind, id } : null;
}

/** The plugin that an actor is; null for anybody else. */
export function pluginOfActor(actor: string | null): string | null {
  const machine = parseMachine(actor);
  return machine?.kind === 'plugin' ? machine.id : null;
}

/** One name for any caller, for what each has of their own: `user:<id>`, or the machine's. */
export function callerName({
  userId,
  machine,
}: {
  readonly userId: string | null;
  readonly machine: Machine | null;
}): string {
  return machine === null ? `user:${userId}` : machineActor(machine);
}
