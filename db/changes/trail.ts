/** What every change leaves beside its rows: the audit record, and the events that tell of it. */
import { flag, instant, json, optional, text, uuid } from '../models/columns.ts';
import { table } from '../models/table.ts';

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
  readonly payload: Shown;
  /** How long the relay leaves it alone, since whoever caused it starts what follows from it by themselves. */
  readonly heldBackMs?: number;
  /** No relay hands it to anybody: it notes that something is done, or is a sample of what could happen. */
  readonly only?: 'note' | 'sample';
}

export type Shown = Readonly<Record<string, unknown>>;

export class AuditLog extends table('audit_logs', {
  entityType: text(),
  entityId: uuid(),
  action: text<'CREATE' | 'UPDATE' | 'DELETE'>(),
  /** The acting user; null for API keys and the service itself. */
  userId: optional(uuid()),
  actor: optional(text()),
  requestId: optional(text()),
  oldValue: optional(json<Shown>()),
  newValue: optional(json<Shown>()),
  createdAt: instant(),
}) {}

export class Outbox extends table('outbox', {
  event: text(),
  entityType: text(),
  entityId: uuid(),
  payload: json<Shown>(),
  createdAt: instant(),
  /** Until then no relay takes it. */
  lockedUntil: optional(instant()),
  /** When it was handed over; no relay takes it then. */
  processedAt: optional(instant()),
  /** It never happened: a sample for whoever tries a webhook. */
  test: flag(),
}) {}
