/** Webhooks of one tenant. Delivery attempts are an append-only log without a model of its own. */
import type { Condition } from '../../domain/conditions/conditions.ts';
import type { WebhookForm } from '../../domain/webhooks/forms.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import { type Presented, TenantModel } from './base.ts';

export class Webhook extends TenantModel {
  static override tableName = 'webhooks';
  static override entityType = 'Webhook';
  static override hidden: readonly string[] = ['tenantId', 'secretEncrypted', 'retiredSecretsEncrypted'];
  declare name: string;
  declare url: string;
  declare method: 'POST' | 'GET';
  declare form: WebhookForm;
  declare events: string[];
  /** Of notification.created; null for all. */
  declare filterTypes: string[] | null;
  declare filters: Condition[] | null;
  declare headers: Record<string, string>;
  declare secretEncrypted: Buffer | null;
  /** Those that a rotation has replaced and that still sign, with their ends. */
  declare retiredSecretsEncrypted: Buffer | null;
  declare secretRotatedAt: string | null;
  /** Exchanges at once. */
  declare maxInFlight: number;
  /** Exchanges begun in a second. */
  declare ratePerSecond: number;
  declare status: 'active' | 'inactive';
  declare retryPolicy: RetryPolicy;
  declare createdBy: string | null;

  /** For the audit log, which more people may read than the webhook: header values are often credentials. */
  static override present(row: Presented): Presented {
    const headers = Object.keys((row.headers ?? {}) as Record<string, string>);
    return {
      ...super.present(row),
      headers: Object.fromEntries(headers.map((name) => [name, '•••'])),
      secretSet: row.secretEncrypted !== null && row.secretEncrypted !== undefined,
    };
  }
}
