/** Notifications to a user of a company, and their settings. */
import type { NotificationType } from '../../../domain/messages/notifications/types.ts';
import type { JsonRow } from '../base.ts';
import { flag, instant, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

const OPTIONAL: readonly string[] = ['metadata', 'action_url', 'action_label', 'read_at'];

export class Notification extends versionedTable('notifications', {
  userId: uuid(),
  type: text<NotificationType>(),
  title: text(),
  body: text(),
  read: flag(),
  readAt: optional(instant()),
  metadata: optional(json<Record<string, unknown>>()),
  actionUrl: optional(text()),
  actionLabel: optional(text()),
}) {
  static override entityType = 'Notification';
  static override access = 'own' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = [];

  static override toJson(row: JsonRow): JsonRow {
    const shown = Object.entries(super.toJson(row));
    return Object.fromEntries(shown.filter(([name, value]) => value !== null || !OPTIONAL.includes(name)));
  }
}

/** A user's choices in a company: those that differ from the defaults. */
export class NotificationSetting extends versionedTable('notification_settings', {
  userId: uuid(),
  value: json<Record<string, unknown>>(),
}) {
  static override entityType = 'NotificationSettings';
  static override access = 'own' as const;
}
