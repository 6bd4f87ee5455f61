/** Types of notifications, and each user's choices. */

/** Types that users can turn off. */
const OPTIONAL_TYPES = [
  'email_status',
  'document_sent',
  'payment_received',
  'payment_made',
  'document_locked',
  'automation_triggered',
  'plugin_error',
  'system_alert',
  'mention',
] as const;

export const NOTIFICATION_TYPES = [...OPTIONAL_TYPES, 'task_completed'] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** Default choices of a user within a company. */
export const DEFAULT_NOTIFICATION_SETTINGS = {
  email_status: true,
  document_sent: true,
  payment_received: true,
  payment_made: true,
  document_locked: true,
  automation_triggered: true,
  plugin_error: true,
  system_alert: true,
  mention: true,
  /** Whether notifications are also pushed to browsers. */
  push_enabled: false,
  /** Whether a daily summary is sent by e-mail. */
  email_enabled: false,
  /** Whether notifications about the user's own actions are left out. */
  exclude_own: false,
};

export type NotificationSettings = typeof DEFAULT_NOTIFICATION_SETTINGS;

/** Completes stored choices with the defaults. */
export function withDefaultChoices(stored: Readonly<Record<string, unknown>> | null | undefined): NotificationSettings {
  const names = Object.keys(DEFAULT_NOTIFICATION_SETTINGS) as (keyof NotificationSettings)[];
  const chosen = names.flatMap((name) => {
    const value = stored?.[name];
    return typeof value === 'boolean' ? [[name, value]] : [];
  });
  return { ...DEFAULT_NOTIFICATION_SETTINGS, ...Object.fromEntries(chosen) };
}

/** Whether a user with these choices gets a notification. @param own whether their own action caused it */
export function isWanted(type: NotificationType, chosen: NotificationSettings, own: boolean): boolean {
  return type === 'task_completed' || (chosen[type] && !(own && chosen.exclude_own));
}

/** A notification's text, in one language. */
export interface NoticeText {
  readonly title: string;
  readonly body: string;
  /** Label of the link. */
  readonly actionLabel?: string | null;
}
