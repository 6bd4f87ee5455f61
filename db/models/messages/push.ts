/** Browsers that receive notifications by Web Push. */
import type { JsonRow } from '../base.ts';
import { optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class PushSubscription extends versionedTable('push_subscriptions', {
  userId: uuid(),
  /** The browser's address at its push service, which is confidential. */
  endpoint: text(),
  /** The browser's public key and its secret, in base64url. */
  p256dh: text(),
  auth: text(),
  /** The session in which the browser subscribed, and with which it ends; null when it subscribed without one. */
  sessionId: optional(uuid()),
}) {
  static override entityType = 'PushSubscription';
  static override access = 'own' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'endpoint', 'p256dh', 'auth', 'sessionId'];

  static override toJson(row: JsonRow): JsonRow {
    return { ...super.toJson(row), service: new URL(String(row.endpoint)).host };
  }
}
