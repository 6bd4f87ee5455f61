/** What every change leaves beside its rows. */
import { instant, json, optional, text, uuid } from '../models/columns.ts';
import { table } from '../models/table.ts';

type Shown = Readonly<Record<string, unknown>>;

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
}) {}
