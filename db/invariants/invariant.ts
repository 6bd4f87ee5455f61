/** The interface of an invariant. */

export interface Invariant {
  /** Stable name, for tests and for asking for one. */
  readonly name: string;
  /** What holds, in words. */
  readonly title: string;
  /** Violations are reported without failing: something is late, not wrong. */
  readonly warning?: boolean;
  readonly sql: string;
}

/** A column of a table that the statement names by an alias: within a subquery a bare name would be the subquery's own. */
type Of<Column extends string> = `${string}.${Column}`;

/** Whether a flag that relaxes a rule is on. */
export function flag(tenant: Of<'tenant_id'>, name: string): string {
  return `coalesce((select (s.value->>'${name}')::boolean from settings s where s.tenant_id = ${tenant} and s.name = 'flags'), false)`;
}

/**
 * Whether a flag was on when something was written: what was allowed then stays valid. The audit log knows.
 * @param id of what was written, or of its audit record: ids sort by time
 */
export function flagAt(tenant: Of<'tenant_id'>, name: string, id: Of<'id'>): string {
  return `coalesce((select (s.new_value->'value'->>'${name}')::boolean from audit_logs s
    where s.tenant_id = ${tenant} and s.entity_type = 'Setting' and s.new_value->>'name' = 'flags' and s.id < ${id}
    order by s.id desc limit 1), false)`;
}
