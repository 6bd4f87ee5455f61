/** What every change leaves besides its rows: the audit record and the events. */
import { flag, instant, json, optional, text, uuid } from '../models/columns.ts';
import { table } from '../models/table.ts';

/** The subject of an audit record or event. */
export interface Entity {
  /** The audit log's name for it, for example SalesInvoice. */
  readonly type: string;
  readonly id: string;
}

/** Something happened that others may want to know. `payload` is the `data` of the delivered envelope. */
export interface DomainEvent {
  /** Given if consequences are identified by it. */
  readonly id?: string;
  readonly name: string;
  readonly payload: Shown;
  /** How long the relay waits with it, because the writer handles it by itself. */
  readonly heldBackMs?: number;
  /** Handed to nobody: it records that something is done, or is a sample. */
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
