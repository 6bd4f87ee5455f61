/** Webhooks of one tenant. Delivery attempts are an append-only log without a model of its own. */

import type { WebhookForm } from '../../../domain/integrations/webhooks/forms.ts';
import type { RetryPolicy } from '../../../domain/integrations/webhooks/retry.ts';
import type { Condition } from '../../../domain/platform/conditions/conditions.ts';
import type { JsonRow } from '../base.ts';
import { bytes, instant, integer, json, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Webhook extends versionedTable('webhooks', {
  name: text(),
  url: text(),
  method: text<'POST' | 'GET'>(),
  form: text<WebhookForm>(),
  events: list<string[]>(),
  /** Types of notifications wanted with notification.created; null for all. */
  filterTypes: optional(list<string[]>()),
  filters: optional(json<Condition[]>()),
  headers: json<Record<string, string>>(),
  secretEncrypted: optional(bytes()),
  /** Secrets replaced by rotation that still sign, with the time at which they end. */
  retiredSecretsEncrypted: optional(bytes()),
  secretRotatedAt: optional(instant()),
  /** Maximum concurrent exchanges. */
  maxInFlight: integer(),
  /** Maximum exchanges started per second. */
  ratePerSecond: integer(),
  status: text<'active' | 'inactive'>(),
  retryPolicy: json<RetryPolicy>(),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Webhook';
  static override hidden: readonly string[] = ['tenantId', 'secretEncrypted', 'retiredSecretsEncrypted'];

  /** Masks header values, often credentials, since more people may read the audit log than the webhook. */
  static override toJson(row: JsonRow): JsonRow {
    const headers = Object.keys((row.headers ?? {}) as Record<string, string>);
    return {
      ...super.toJson(row),
      headers: Object.fromEntries(headers.map((name) => [name, '•••'])),
      secretSet: row.secretEncrypted !== null && row.secretEncrypted !== undefined,
    };
  }
}
