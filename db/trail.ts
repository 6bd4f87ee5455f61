/** What every change leaves beside its row: the audit record, and the events that tell of it. */
import type { Context } from './context.ts';
import { newId } from './ids.ts';
import type { JsonRow } from './models/base.ts';

/** What an audit record or an event is about. */
export interface Entity {
  /** The audit log's name for it, for example SalesInvoice. */
  readonly type: string;
  readonly id: string;
}

/** Something happened that others may want to know. `payload` is the `data` of the delivered envelope. */
export interface DomainEvent {
  /** Given where what follows from it is known by it. */
  readonly id?: string;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the relay leaves it alone, since whoever caused it starts what follows from it by themselves; only of `Changes`. */
  readonly heldBackMs?: number;
}

export type Action = 'CREATE' | 'UPDATE' | 'DELETE';

export interface Statement {
  readonly sql: string;
  readonly bindings: unknown[];
}

/** The audit record of a change that was written by a statement of its own (documents and their lines). */
export function auditStatement(
  ctx: Context,
  entity: Entity,
  action: Action,
  oldValue: JsonRow | null,
  newValue: JsonRow | null,
): Statement {
  return {
    sql: `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
          select ?, ?, ?, ?::uuid, ?, ?::uuid, ?, ?, ?::json, ?::json, ?::timestamptz`,
    bindings: [
      newId(),
      ctx.tenantId,
      entity.type,
      entity.id,
      action,
      ctx.userId,
      ctx.actor,
      ctx.requestId,
      json(oldValue),
      json(newValue),
      ctx.now.toISOString(),
    ],
  };
}

/** One event of the outbox. */
export function eventStatement(ctx: Context, entity: Entity, event: DomainEvent): Statement {
  return {
    sql: `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
          select ?, ?, ?, ?, ?::uuid, ?::json, ?::timestamptz`,
    bindings: [
      event.id ?? newId(),
      ctx.tenantId,
      event.name,
      entity.type,
      entity.id,
      json(event.payload),
      ctx.now.toISOString(),
    ],
  };
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
