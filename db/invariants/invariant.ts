/** What all invariants have in common. */

export interface Invariant {
  /** Stable name, for tests and for asking for one. */
  readonly name: string;
  /** What holds, in words. */
  readonly title: string;
  /** A violation is told, but is no error: something is late, not wrong. */
  readonly warning?: boolean;
  readonly sql: string;
}

/** Settings that relax a rule, false where nothing is set. */
export function flag(tenant: string, name: string): string {
  return `coalesce((select (s.value->>'${name}')::boolean from settings s where s.tenant_id = ${tenant} and s.name = 'flags'), false)`;
}
