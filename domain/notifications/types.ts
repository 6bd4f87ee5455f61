/** Types of notifications, and what each user chooses of them. */

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

/** A user's choices within a company. */
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
  /** Also to the browser, by Web Push. */
  push_enabled: false,
  /** A daily summary by e-mail. */
  email_enabled: false,
  /** Whether one's own actions are left out. */
  exclude_own: false,
};

export type NotificationSettings = typeof DEFAULT_NOTIFICATION_SETTINGS;

/** All choices, of what is stored of them. */
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
