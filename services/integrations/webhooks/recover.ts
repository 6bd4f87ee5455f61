/**
 * Redelivers the events that a webhook missed: a background task that scans its log, page by page, oldest first. Repeating a page changes
 * nothing, since deliveries under way or successful are not repeated.
 */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import { redeliveryTitle, shortName } from '../../../domain/integrations/webhooks/texts.ts';
import { percentDone } from '../../../domain/platform/tasks.ts';
import { assertRunning, endTask, forgetPosition, recordPosition, runningTask } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { activeWebhook } from './redeliver.ts';

/** Deliveries started per page. */
const PAGE_SIZE = 100;

export const MISSED = ['failed', 'skipped', 'all'] as const;

/** Selects events with an attempt in this period that did not arrive in the end. */
export interface RecoveryRequest {
  readonly since: string;
  readonly until?: string | undefined;
  readonly status?: (typeof MISSED)[number] | undefined;
}

interface StoredRequest {
  readonly webhook_id: string;
  readonly since: string;
  readonly until: string;
  readonly statuses: readonly string[];
}

interface Position {
  /** Events whose delivery was started. */
  readonly rows: number;
  readonly total: number;
  /** The log entry of the last one. */
  readonly after: { readonly sent_at: string; readonly id: string } | null;
  /** The deliveries started last, and the time: the next page waits until most of them were tried. */
  readonly last?: { readonly event_ids: readonly string[]; readonly started_at: string };
  readonly [name: string]: unknown;
}

/** The deliveries to start next. */
export interface RecoveryPage {
  readonly webhookId: string;
  readonly eventIds: readonly string[];
  /** Titles for operators, in the same order. */
  readonly about: readonly { readonly title: string; readonly documentCode: string | null }[];
  readonly position: Position;
  readonly next: Position;
}

/**
 * Starts a task that redelivers missed events.
 * @throws ServiceError not_found, stale_version, invalid_transition (inactive), validation_failed
 */
export async function startRecovery(
  trx: Db,
  ctx: Context,
  webhookId: string,
  { since, until, status = 'all' }: RecoveryRequest,
  ifMatch: number | null,
): Promise<Task> {
  const faults: FieldError[] = [];
  if (Date.parse(since) > ctx.now.getTime()) {
    faults.push({ pointer: '/since', code: 'in_future', message: 'must not be in the future' });
  }
  if (until !== undefined && Date.parse(until) < Date.parse(since)) {
    faults.push({ pointer: '/until', code: 'invalid_range', message: 'must not be before since' });
  }
  const { name } = await activeWebhook(trx, webhookId, ifMatch);
  if (faults.length > 0) throw validationFailed(faults);
  const statuses = status === 'all' ? ['failed', 'skipped'] : [status];
  // Later failures do not belong to this request.
  const end = Math.min(ctx.now.getTime(), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until));
  const input: StoredRequest = { webhook_id: webhookId, since, until: new Date(end).toISOString(), statuses };
  return startTask(trx, ctx, {
    kind: 'webhook_recovery',
    permission: 'webhooks:read',
    input: { ...input },
    title: `Recovery of what ${shortName(name)} has missed`,
    message: `Waiting to deliver what ${name} has missed`,
  });
}

/** The first entry in the period of each event that was not delivered: its last log entry decides. */
const MISSED_EVENTS = `from webhook_attempts a
  where a.webhook_id = :webhook::uuid and a.status <> 'success' and not a.test
    and a.sent_at between :since::timestamptz and :until::timestamptz
    and not exists (
      select from webhook_attempts earlier
      where earlier.webhook_id = a.webhook_id and earlier.event_id = a.event_id and earlier.status <> 'success'
        and earlier.sent_at >= :since::timestamptz and (earlier.sent_at, earlier.id) < (a.sent_at, a.id))
    and (
      select last.status from webhook_attempts last
      where last.webhook_id = a.webhook_id and last.event_id = a.event_id
      order by last.sent_at desc, last.id desc limit 1) = any(:statuses::text[])`;

/**
 * The next page of a recovery, to be started and then recorded; the last one ends the task.
 * @returns null when nothing is left to do, or the task has ended or was deleted
 */
export async function nextRecoveryPage(database: Database, ctx: Context, taskId: string): Promise<RecoveryPage | null> {
  return database.withTenant(ctx, async (trx) => {
    const task = await runningTask(trx, taskId);
    if (task === undefined) return null;
    const request = task.input as unknown as StoredRequest;
    const webhook = await Webhook.query(trx).findById(request.webhook_id);
    if (webhook === undefined || webhook.status === 'inactive') {
      const error =
        webhook === undefined
          ? 'The webhook was deleted: nothing more is delivered to it'
          : 'The webhook is inactive: nothing more is delivered to it';
      assertRunning(await endTask(trx, ctx, taskId, { message: 'Failed', error }));
      return null;
    }
    const { webhook_id, since, until, statuses } = request;
    const scope = { webhook: webhook_id, since, until, statuses };
    const position = (task.position as Position | null) ?? { rows: 0, total: await total(trx, scope), after: null };
    const { after } = position;
    const found = await query<{ eventId: string; event: string; sent_at: string; id: string; code: string | null }>(
      trx,
      `select a.event_id as "eventId", a.event, a.sent_at::text, a.id,
         (select code from documents d where d.id = a.document_id) as code ${MISSED_EVENTS}
         and (:after::timestamptz is null or (a.sent_at, a.id) > (:after::timestamptz, :id::uuid))
       order by a.sent_at asc nulls first, a.id asc limit ${PAGE_SIZE}`,
      { ...scope, after: after?.sent_at ?? null, id: after?.id ?? null },
    );
    const last = found.at(-1);
    if (last === undefined) {
      assertRunning(
        await endTask(trx, ctx, taskId, { message: inWords(position), counts: { deliveries: position.rows } }),
      );
      return null;
    }
    const next = { ...position, rows: position.rows + found.length, after: { sent_at: last.sent_at, id: last.id } };
    const about = found.map(({ event, code }) => {
      return { title: redeliveryTitle(event, code, webhook.name), documentCode: code };
    });
    return { webhookId: webhook_id, eventIds: found.map(({ eventId }) => eventId), about, position, next };
  });
}

/** Records that the page's deliveries are started. @throws TaskGone when the task has ended or another attempt has done it */
export async function recordRecoveryPage(
  database: Database,
  ctx: Context,
  taskId: string,
  { position, next: page, eventIds }: RecoveryPage,
): Promise<{ readonly progress: number; readonly message: string }> {
  const next: Position = { ...page, last: { event_ids: eventIds, started_at: ctx.now.toISOString() } };
  await database.withTenant(ctx, async (trx) => {
    assertRunning(await recordPosition(trx, taskId, next, position.rows));
  });
  return { progress: percentDone(next.rows, next.total), message: inWords(next) };
}

/** Restarts a recovery from the beginning of the log, since its deliveries were lost; what has arrived is not sent again. */
export async function restartRecovery(
  database: Database,
  { tenantId, taskId }: { readonly tenantId: string; readonly taskId: string },
): Promise<void> {
  await database.withTenant({ tenantId }, (trx) => forgetPosition(trx, taskId));
}

/** The next page begins when at most this many of the last one are untried … */
const MAY_BE_UNTRIED = 20;
/** … or after this time: a silent receiver must not stop it for ever. */
const PATIENCE_MS = 30_000;
/** First pause between checks; then as long as it has waited already. */
const LOOK_MS = 250;

/** Milliseconds to wait before the next page, so that no more is started than the endpoint accepts; 0 if it may begin. */
export async function recoveryWaitMs(db: Db, taskId: string, now: Date): Promise<number> {
  const task = await runningTask(db, taskId);
  const last = (task?.position as Position | null | undefined)?.last;
  if (task === undefined || last === undefined) return 0;
  const { webhook_id: webhookId } = task.input as unknown as StoredRequest;
  const waited = Math.max(0, now.getTime() - Date.parse(last.started_at));
  if (waited >= PATIENCE_MS) return 0;
  const [row] = await query<{ untried: number }>(
    db,
    `select count(*)::int as untried
     from unnest(:eventIds::uuid[]) e (id) join webhooks w on w.id = :webhookId::uuid and w.status = 'active'
     where not exists (select from webhook_attempts a
       where a.webhook_id = w.id and a.event_id = e.id and (a.redelivery_id = :taskId::uuid or a.status = 'success'))`,
    { eventIds: [...last.event_ids], webhookId, taskId },
  );
  if ((row?.untried ?? 0) <= MAY_BE_UNTRIED) return 0;
  return Math.min(Math.max(LOOK_MS, waited), PATIENCE_MS - waited);
}

async function total(trx: Db, scope: Bindings): Promise<number> {
  const [row] = await query<{ total: number }>(trx, `select count(*)::int as total ${MISSED_EVENTS}`, scope);
  return row?.total ?? 0;
}

function inWords({ rows, total }: Position): string {
  const [done, all] = [rows, Math.max(total, rows)].map((count) => count.toLocaleString('en-US'));
  return `${done} of ${all} redeliveries started`;
}
