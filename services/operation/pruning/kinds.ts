/** Kinds of data that are pruned. The ledger, documents, PDFs of posted documents, bank files and the audit log are kept for ever. */
import type { Config } from '../../../config/index.ts';

export type Keep = Config['keep'];

export type Kind = Aged & (Rows | Files | Objects);

interface Aged {
  /** Retention in milliseconds. */
  readonly keeps: (keep: Keep) => number;
}

export interface Rows {
  /**
   * Deletes a batch of rows older than `:cutoff`, oldest first across companies, each found by an index. It returns the number of rows
   * `looked` at (at most `:limit`) and `deleted`, and the `last` id to continue from.
   */
  readonly sql: string;
}

export interface Files {
  /** Folder in DATA_DIR whose files are deleted. */
  readonly folder: string;
}

export interface Objects {
  /** Whether to delete stored objects whose files were deleted or never created. */
  readonly objects: true;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SESSION_END = 'least(session_ends_at, revoked_at)';
const TASK_FILES = `kind in ('task_input', 'task_result')`;

/**
 * Scans a table by its ids, which sort by time: no extra index is needed, and old rows that must be kept are skipped.
 * @param rows ids to delete for the rows that are `looked` at
 */
function byId(table: string, old: string, rows = 'select id from looked'): string {
  return `with looked as materialized (
      select id from ${table} where id > :after::uuid and id < :before::uuid order by id limit :limit::integer
    ), gone as (delete from ${table} t where t.id = any(array(${rows})) and ${old} returning 1)
    select (select count(*)::int from looked) as looked, (select count(*)::int from gone) as deleted,
      (select id from looked order by id desc limit 1) as last`;
}

/** Selects the oldest rows by an index on their age. */
function oldest(table: string, old: string, age: string, key = 'id'): string {
  return `array(select ${key} from ${table} o where ${old} order by ${age} limit :limit::integer)`;
}

/** Deletes the oldest rows by an index on their age. */
function byAge(table: string, old: string, age: string, key = 'id'): string {
  return counted(`with gone as (delete from ${table} where ${key} = any(${oldest(table, old, age, key)}) returning 1)`);
}

function counted(deletion: string): string {
  return `${deletion} select count(*)::int as looked, count(*)::int as deleted, null as last from gone`;
}

/** Kinds by their name in the metrics, in pruning order. */
export const KINDS = {
  /** An event's attempts for a webhook are deleted together: the retry policy counts them. */
  attempts: {
    keeps: ({ attemptsDays }) => attemptsDays * DAY,
    sql: byId(
      'webhook_attempts',
      `t.sent_at < :cutoff::timestamptz and not exists (select from webhook_attempts later
         where later.tenant_id = t.tenant_id and later.webhook_id = t.webhook_id and later.event_id = t.event_id
           and later.sent_at >= :cutoff::timestamptz)`,
      `select every.id from looked cross join lateral (
         select a.id from webhook_attempts one join webhook_attempts a
           on a.tenant_id = one.tenant_id and a.webhook_id = one.webhook_id and a.event_id = one.event_id
         where one.id = looked.id offset 0) every`,
    ),
  },
  attempt_bodies: {
    keeps: ({ attemptBodiesDays }) => attemptBodiesDays * DAY,
    sql: counted(`with gone as (
      update webhook_attempts set response_body = null where id = any(${oldest(
        'webhook_attempts',
        'response_body is not null and sent_at < :cutoff::timestamptz',
        'sent_at',
      )}) returning 1)`),
  },
  /** Runs of automations, except those that show which records a rule has already acted on once. */
  automation_runs: {
    keeps: ({ automationRunsDays }) => automationRunsDays * DAY,
    sql: byAge(
      'automation_runs',
      `status <> 'running' and cause not like 'once/%' and executed_at < :cutoff::timestamptz`,
      'executed_at',
    ),
  },
  /** Only handed-over events, and not those in the attempts of a webhook, which can still be redelivered. */
  outbox: {
    keeps: ({ eventsDays }) => eventsDays * DAY,
    sql: byId(
      'outbox',
      't.processed_at < :cutoff::timestamptz and not exists (select from webhook_attempts a where a.event_id = t.id)',
    ),
  },
  idempotency_keys: {
    keeps: ({ idempotencyKeysHours }) => idempotencyKeysHours * HOUR,
    sql: byAge('idempotency_keys', 'created_at < :cutoff::timestamptz', 'created_at', 'ctid'),
  },
  /** A used token is kept while its session may last: using it again ends the session. */
  refresh_tokens: {
    keeps: ({ refreshTokensDays }) => refreshTokensDays * DAY,
    sql: byAge('refresh_tokens', `${SESSION_END} < :cutoff::timestamptz`, SESSION_END),
  },
  /** Also clears the task's `result_url`. */
  task_files: {
    keeps: ({ taskFilesDays }) => taskFilesDays * DAY,
    sql: counted(`with gone as (
      delete from files where id = any(${oldest(
        'files',
        `${TASK_FILES} and created_at < :cutoff::timestamptz and not exists (select from tasks t
           where t.tenant_id = o.tenant_id and t.id = o.entity_id and (t.status = 'running' or t.completed_at >= :cutoff::timestamptz))`,
        'created_at',
      )}) returning tenant_id, entity_id
    ), told as (
      update tasks t set result_url = null, version = version + 1 from gone
      where t.tenant_id = gone.tenant_id and t.id = gone.entity_id and t.result_url is not null)`),
  },
  tasks: {
    keeps: ({ tasksDays }) => tasksDays * DAY,
    sql: counted(`with gone as (
      delete from tasks where id = any(${oldest('tasks', 'completed_at < :cutoff::timestamptz', 'completed_at')}) returning tenant_id, id
    ), files_gone as (
      delete from files f using gone where f.tenant_id = gone.tenant_id and f.entity_id = gone.id and f.${TASK_FILES})`),
  },
  read_notifications: {
    keeps: ({ readNotificationsDays }) => readNotificationsDays * DAY,
    sql: byAge('notifications', 'read_at < :cutoff::timestamptz', 'read_at'),
  },
  notifications: {
    keeps: ({ notificationsDays }) => notificationsDays * DAY,
    sql: byId('notifications', 't.created_at < :cutoff::timestamptz'),
  },
  /** Counts of mails; limits look back a day. */
  mail_sendings: {
    keeps: () => 2 * DAY,
    sql: byAge('mail_sendings', 'sent_at < :cutoff::timestamptz', 'sent_at'),
  },
  /** Password reset links, a day after they expired. */
  password_resets: {
    keeps: () => DAY,
    sql: byAge('password_resets', 'expires_at < :cutoff::timestamptz', 'expires_at'),
  },
  invitations: {
    keeps: ({ invitationsDays }) => invitationsDays * DAY,
    sql: byId('invitations', 'coalesce(t.settled_at, t.expires_at) < :cutoff::timestamptz'),
  },
  emails: {
    keeps: ({ emailsDays }) => emailsDays * DAY,
    sql: byId('emails', "t.created_at < :cutoff::timestamptz and t.status <> 'queued'"),
  },
  /** Mails written to files for lack of a mail server, and partial leftovers. */
  mails: {
    keeps: ({ mailsDays }) => mailsDays * DAY,
    folder: 'mail',
  },
  /** PDFs of drafts, orders and notes, which are rendered again on demand. */
  pdfs: {
    keeps: ({ pdfsDays }) => pdfsDays * DAY,
    sql: byAge('files', 'replaceable and created_at < :cutoff::timestamptz', 'created_at'),
  },
  /** Contents of deleted attachments in the object store. */
  objects: { keeps: () => 0, objects: true },
  /** Failed logins count until they expire. */
  login_limits: {
    keeps: () => 0,
    sql: byAge('login_limits', `expire < extract(epoch from :cutoff::timestamptz) * 1000`, 'expire', 'key'),
  },
} as const satisfies Record<string, Kind>;

export type PrunedKind = keyof typeof KINDS;
