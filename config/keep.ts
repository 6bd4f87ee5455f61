/** Retention periods (services/operation/pruning). */
import { integer, type Problems } from './parse.ts';

type Env = Record<string, string | undefined>;

export interface KeepConfig {
  /** Handed-over events that are in no webhook's log. */
  readonly eventsDays: number;
  /** Delivery attempts, and the bodies of their answers. */
  readonly attemptsDays: number;
  readonly attemptBodiesDays: number;
  /** Answers to requests with an Idempotency-Key. */
  readonly idempotencyKeysHours: number;
  /** Refresh tokens after their end. */
  readonly refreshTokensDays: number;
  /** Files of tasks, and tasks themselves, after their end. */
  readonly taskFilesDays: number;
  readonly tasksDays: number;
  /** Notifications after they were read, and all others. */
  readonly readNotificationsDays: number;
  readonly notificationsDays: number;
  /** Invitations after they were settled or expired, and mails stored as files. */
  readonly invitationsDays: number;
  readonly mailsDays: number;
  /** The log of automations. */
  readonly automationRunsDays: number;
  /** The log of mails. */
  readonly emailsDays: number;
  /** PDFs of documents that are not posted. */
  readonly pdfsDays: number;
}

/** Loads the `KEEP_…` variables. */
export function loadKeep(env: Env, problems: Problems): KeepConfig {
  // At least two days: the longest wait between two attempts of a delivery is one.
  const days = (name: string, fallback: number) =>
    integer(env, name, { default: fallback, min: 2, max: 36_500 }, problems);
  return {
    eventsDays: days('KEEP_EVENTS_DAYS', 30),
    attemptsDays: days('KEEP_ATTEMPTS_DAYS', 30),
    attemptBodiesDays: days('KEEP_ATTEMPT_BODIES_DAYS', 7),
    idempotencyKeysHours: integer(env, 'KEEP_IDEMPOTENCY_KEYS_HOURS', { default: 24, min: 1, max: 720 }, problems),
    refreshTokensDays: days('KEEP_REFRESH_TOKENS_DAYS', 7),
    taskFilesDays: days('KEEP_TASK_FILES_DAYS', 7),
    tasksDays: days('KEEP_TASKS_DAYS', 90),
    readNotificationsDays: days('KEEP_READ_NOTIFICATIONS_DAYS', 90),
    notificationsDays: days('KEEP_NOTIFICATIONS_DAYS', 365),
    invitationsDays: days('KEEP_INVITATIONS_DAYS', 90),
    mailsDays: days('KEEP_MAILS_DAYS', 30),
    automationRunsDays: days('KEEP_AUTOMATION_RUNS_DAYS', 30),
    emailsDays: days('KEEP_EMAILS_DAYS', 365),
    pdfsDays: days('KEEP_PDFS_DAYS', 7),
  };
}
