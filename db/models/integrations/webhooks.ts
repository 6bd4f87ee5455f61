/** Webhooks of one tenant. Delivery attempts are an append-only log without a model of its own. */

import type { WebhookForm } from '../../../domain/integrations/webhooks/forms.ts';
import { type Headers, masked } from '../../../domain/integrations/webhooks/headers.ts';
import type { RetryPolicy } from '../../../domain/integrations/webhooks/retry.ts';
import { maskedUrl } from '../../../domain/integrations/webhooks/urls.ts';
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
  /** Headers with masks for their values. */
  headers: json<Headers>(),
  /** The values of the headers; null if there are none, or in rows of version 1.0.0 until they are sealed. */
  headersEncrypted: optional(bytes()),
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
  static override access = 'webhooks:read' as const;
  static override hidden: readonly string[] = [
    'tenantId',
    'secretEncrypted',
    'retiredSecretsEncrypted',
    'headersEncrypted',
  ];

  /** Masks the values of headers also in rows of version 1.0.0. */
  static override toJson(row: JsonRow): JsonRow {
    return {
      ...super.toJson(row),
      headers: masked((row.headers ?? {}) as Headers),
      secretSet: row.secretEncrypted !== null && row.secretEncrypted !== undefined,
    };
  }

  static override maskSecrets({ url, headers, ...values }: JsonRow): JsonRow {
    return {
      ...values,
      ...(typeof url === 'string' ? { url: maskedUrl(url) } : {}),
      ...(headers === undefined ? {} : { headers: masked((headers ?? {}) as Headers) }),
    };
  }
}
