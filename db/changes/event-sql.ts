/** SQL that emits an event of the service itself for the rows that a statement finds: only it knows whether there are any. */

/**
 * Builds the insertion. Values: `eventId`, `event`, `now`.
 * @param source query of the rows: tenant_id and id, at most one
 * @param entityType kind of record that they are
 */
export function emitForRows(source: string, entityType: string): string {
  return `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
    select :eventId::uuid, tenant_id, :event, '${entityType}', id, '{}', :now::timestamptz from (${source}) due`;
}
