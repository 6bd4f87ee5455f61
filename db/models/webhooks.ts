/** Webhooks of one tenant. Delivery attempts are an append-only log without a model of its own. */
import type { Condition } from '../../domain/conditions/conditions.ts';
import type { WebhookForm } from '../../domain/webhooks/forms.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import type { JsonRow } from './base.ts';
import { bytes, instant, integer, json, list, optional, text, uuid } from './columns.ts';
import { versionedTable } from './table.ts';

export class Webhook extends versionedTable('webhooks', {
  name: text(),
  url: text(),
  method: text<'POST' | 'GET'>(),
  form: text<WebhookForm>(),
  events: list<string[]>(),
  /** Of notification.created; null for all. */
  filterTypes: optional(list<string[]>()),
  filters: optional(json<Condition[]>()),
  headers: json<Record<string, string>>(),
  secretEncrypted: optional(bytes()),
  /** Secrets replaced by rotations that still sign, with their ends. */
  retiredSecretsEncrypted: optional(bytes()),
  secretRotatedAt: optional(instant()),
  /** Exchanges at once. */
  maxInFlight: integer(),
  /** Exchanges begun in a second. */
  ratePerSecond: integer(),
  status: text<'active' | 'inactive'>(),
  retryPolicy: json<RetryPolicy>(),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Webhook';
  static override hidden: readonly string[] = ['tenantId', 'secretEncrypted', 'retiredSecretsEncrypted'];

  /** For the audit log, which more people may read than the webhook: header values are often credentials. */
  static override toJson(row: JsonRow): JsonRow {
    const headers = Object.keys((row.headers ?? {}) as Record<string, string>);
    return {
      ...super.toJson(row),
      headers: Object.fromEntries(headers.map((name) => [name, '•••'])),
      secretSet: row.secretEncrypted !== null && row.secretEncrypted !== undefined,
    };
  }
}
