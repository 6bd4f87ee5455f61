/** The interface of an invariant. */

export interface Invariant {
  /** Stable name, for tests and for selecting one. */
  readonly name: string;
  /** The rule in words. */
  readonly title: string;
  /** Violations are reported without failing: something is late, not wrong. */
  readonly warning?: boolean;
  readonly sql: string;
}

/** A column with its table's alias: within a subquery a bare name would mean the subquery's own column. */
type Of<Column extends string> = `${string}.${Column}`;

/** SQL: whether a flag that relaxes a rule is on. */
export function flag(tenant: Of<'tenant_id'>, name: string): string {
  return `coalesce((select (s.value->>'${name}')::boolean from settings s where s.tenant_id = ${tenant} and s.name = 'flags'), false)`;
}

/**
 * SQL: whether a flag was on when something was written, according to the audit log. What was allowed then stays valid.
 * @param id of the row written, or of its audit record: ids sort by time
 */
export function flagAt(tenant: Of<'tenant_id'>, name: string, id: Of<'id'>): string {
  return `coalesce((select (s.new_value->'value'->>'${name}')::boolean from audit_logs s
    where s.tenant_id = ${tenant} and s.entity_type = 'Setting' and s.new_value->>'name' = 'flags' and s.id < ${id}
    order by s.id desc limit 1), false)`;
}
