/**
 * What is not kept for ever, kind by kind. The ledger, documents and what was printed of posted ones, files for banks, and the audit
 * log are not among these.
 */
import type { Config } from '../../config/index.ts';

export type Keep = Config['keep'];

export type Kind = Aged & (Rows | Files);

interface Aged {
  /** For how long it is kept, in milliseconds. */
  readonly keeps: (keep: Keep) => number;
}

export interface Rows {
  /**
   * Deletes some of what is older than `:cutoff`, the oldest of all companies first; each row is found by an index. It answers how
   * many rows it has `looked` at, at most `:limit`, how many it has `deleted`, and the `last` id where it goes on from there.
   */
  readonly sql: string;
}

export interface Files {
  /** Whose files are deleted, in DATA_DIR. */
  readonly folder: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SESSION_END = 'least(coalesce(session_ends_at, expires_at), revoked_at)';
const TASK_FILES = `kind in ('task_input', 'task_result')`;

/**
 * Goes through a table by its ids, which sort by time: who writes has no index to keep for it, and what is old and kept is passed.
 * @param rows those that go together with what is `looked` at
 */
function byId(table: string, old: string, rows = 'select id from looked'): string {
  return `with looked as materialized (
      select id from ${table} where id > :after::uuid and id < :before::uuid order by id limit :limit::integer
    ), gone as (delete from ${table} t where t.id = any(array(${rows})) and ${old} returning 1)
    select (select count(*)::int from looked) as looked, (select count(*)::int from gone) as deleted,
      (select id from looked order by id desc limit 1) as last`;
}

/** The oldest rows by an index on their age. */
function oldest(table: string, old: string, age: string, key = 'id'): string {
  return `array(select ${key} from ${table} o where ${old} order by ${age} limit :limit::integer)`;
}

/** Deletes the oldest rows by an index on their age. */
function byAge(table: string, old: string, age: string, key = 'id'): string {
  return counted(`with gone as (delete from ${table} where ${key} = any(${oldest(table, old, age, key)}) returning 1)`);
}

function counted(gone: string): string {
  return `${gone} select count(*)::int as looked, count(*)::int as deleted, null as last from gone`;
}

/** By their names in the metrics, in the order in which they are looked at. */
export const KINDS = {
  /** An event's attempts at a webhook go at once: their number is what the retry policy counts. */
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
  /** Only what was handed over. What is in the log of a webhook can be sent once more. */
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
  /** A token that was used before is kept as long as its session may go on: used twice, it ends that. */
  refresh_tokens: {
    keeps: ({ refreshTokensDays }) => refreshTokensDays * DAY,
    sql: byAge('refresh_tokens', `${SESSION_END} < :cutoff::timestamptz`, SESSION_END),
  },
  /** A task says no longer where to get what it made. */
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
  invitations: {
    keeps: ({ invitationsDays }) => invitationsDays * DAY,
    sql: byId('invitations', 'coalesce(t.settled_at, t.expires_at) < :cutoff::timestamptz'),
  },
  /** Where no mail server is set, and what was left of them half written. */
  mails: {
    keeps: ({ mailsDays }) => mailsDays * DAY,
    folder: 'mail',
  },
  /** Of drafts, orders and notes: made again when they are wanted. */
  pdfs: {
    keeps: ({ pdfsDays }) => pdfsDays * DAY,
    sql: byAge('files', 'replaceable and created_at < :cutoff::timestamptz', 'created_at'),
  },
  /** Failed logins, which count until they expire. */
  login_limits: {
    keeps: () => 0,
    sql: byAge('login_limits', `expire < extract(epoch from :cutoff::timestamptz) * 1000`, 'expire', 'key'),
  },
} as const satisfies Record<string, Kind>;

export type PrunedKind = keyof typeof KINDS;
