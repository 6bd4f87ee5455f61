/** The trail of every change: its audit record and its events. */
import { flag, instant, integer, json, optional, text, uuid } from '../models/columns.ts';
import { table } from '../models/table.ts';

/** The subject of an audit record or event. */
export interface Entity {
  /** The audit log's name for it, for example SalesInvoice. */
  readonly type: string;
  readonly id: string;
}

/** Something that happened. `payload` is the `data` of the delivered envelope. */
export interface DomainEvent {
  /** Set if consequences are identified by it. */
  readonly id?: string;
  readonly name: string;
  readonly payload: Shown;
  /** How long the relay waits, because the writer handles it directly. */
  readonly heldBackMs?: number;
  /** Never handed over: it only records that something was done, or is a sample. */
  readonly only?: 'note' | 'sample';
  /** Written only if an active rule of the company has a trigger of this name: hardly any company has rules about such events. */
  readonly forRules?: boolean;
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
  /** Who caused it; null for programs. */
  userId: optional(uuid()),
  /** Relays do not claim it before this time. */
  lockedUntil: optional(instant()),
  /** When it was handed over; relays do not claim it afterwards. */
  processedAt: optional(instant()),
  /** A sample for testing a webhook: it never happened. */
  test: flag(),
  /** Number of rule runs in the chain that led to it. */
  depth: integer(),
  /** When members were notified of it. */
  toldAt: optional(instant()),
  /** Trace of what caused it; null unless traces are recorded. */
  trace: optional(text()),
}) {}
