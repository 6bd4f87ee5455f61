/** Companies in which recurring documents are due, and the tasks that make these. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { prepared } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { counted } from '../../../domain/words.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { assertRunning, endTask } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { makeNextDue, recordFailure } from './run.ts';

/** Companies per query, and documents per query. */
const COMPANIES = 100;
const PAGE = 100;
/** Documents of a company that are made at the same time. */
const AT_ONCE = 4;
/** Maximum failed runs named in the result. */
const MAX_NAMED = 1000;

const FIRST = '00000000-0000-0000-0000-000000000000';

const COMPANIES_SQL = `select distinct tenant_id as "tenantId" from recurring_documents
  where active and next_at <= :now::timestamptz and tenant_id > :after::uuid order by 1 limit :limit::integer`;

/**
 * Lists some companies in which recurring documents are due, in order.
 * @param after the last company done; null at the beginning
 * @returns the companies, and the last of them; null if there are no more
 */
export async function companiesWithDue(database: Database, now: Date, after: string | null) {
  const rows = await database.withSystem((trx) =>
    prepared<{ tenantId: string }>(trx, COMPANIES_SQL, {
      now: now.toISOString(),
      after: after ?? FIRST,
      limit: COMPANIES,
    }),
  );
  const companies = rows.map(({ tenantId }) => tenantId);
  return { companies, last: companies.length < COMPANIES ? null : (companies.at(-1) ?? null) };
}

const RUNNING = `select exists (select 1 from tasks where kind = 'recurring' and status = 'running') as running`;

/** Starts the task of a company, unless one runs. @returns whether it was started */
export async function startRuns(trx: Db, ctx: Context): Promise<boolean> {
  const [found] = await prepared<{ running: boolean }>(trx, RUNNING, {});
  if (found?.running === true) return false;
  await startTask(trx, ctx, {
    id: newId(),
    kind: 'recurring',
    permission: 'recurring_documents:read',
    input: {},
    message: 'Waiting to make recurring documents',
    title: 'Recurring documents',
  });
  return true;
}

const DUE_SQL = `select id from recurring_documents
  where active and next_on <= :today::date order by next_on, id limit :limit::integer`;
const COUNT_SQL = 'select count(*)::integer as count from recurring_documents where active and next_on <= :today::date';

/** Reports the number of documents handled, and the total. */
export type Progress = (done: number, total: number) => Promise<void>;

/**
 * Makes documents until none is due or the turn is over. One that cannot be made concerns no other.
 * @throws TaskGone when the task has ended or was cancelled; any error that a repetition may mend
 */
export async function makeDueForTask(
  database: Database,
  ctx: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  progress: Progress,
  turnIsOver: () => boolean,
): Promise<void> {
  const at = (): Context => ({ ...ctx, now: now(), quiet: true });
  for (;;) {
    const today = await loadToday(database.reader(ctx), at());
    const [due, [waiting], ran] = await Promise.all([
      prepared<{ id: string }>(database.reader(ctx), DUE_SQL, { today, limit: PAGE }),
      prepared<{ count: number }>(database.reader(ctx), COUNT_SQL, { today }),
      countRuns(database, ctx, task),
    ]);
    const done = ran.made + ran.skipped + ran.failed;
    await progress(done, done + (waiting?.count ?? 0));
    if (due.length === 0) return await finish(database, at(), { task, links }, ran);
    const ids = due.map(({ id }) => id);
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        await makeOne(database, at(), id);
        if (turnIsOver()) return;
      }
    });
    await Promise.all(lanes);
    if (turnIsOver()) return;
  }
}

async function makeOne(database: Database, ctx: Context, id: string): Promise<void> {
  try {
    await database.withTenant(ctx, (trx) => makeNextDue(trx, ctx, id));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    const reason = error.message;
    if (error.code !== 'not_found') await database.withTenant(ctx, (trx) => recordFailure(trx, ctx, id, reason));
  }
}

const COUNTS = `select count(*) filter (where outcome = 'made')::integer as made,
    count(*) filter (where outcome = 'skipped')::integer as skipped, count(*) filter (where outcome = 'failed')::integer as failed
  from recurring_runs where created_at >= :since::timestamptz`;

interface Counts {
  readonly made: number;
  readonly skipped: number;
  readonly failed: number;
}

async function countRuns(database: Database, ctx: Context, { createdAt: since }: Task): Promise<Counts> {
  const [counts] = await prepared<Counts>(database.reader(ctx), COUNTS, { since });
  return counts ?? { made: 0, skipped: 0, failed: 0 };
}

const FAILED = `select json_build_object('id', r.id, 'name', r.name, 'due_on', n.due_on, 'run_id', n.id, 'reason', n.reason) as run
  from recurring_runs n join recurring_documents r on r.id = n.recurring_id
  where n.created_at >= :since::timestamptz and n.outcome = 'failed' order by n.created_at, n.id limit :limit::integer`;

async function finish(
  database: Database,
  ctx: Context,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  counts: Counts,
): Promise<void> {
  const { made, skipped, failed } = counts;
  await database.withTenant(ctx, async (trx) => {
    const rows = await prepared<{ run: object }>(trx, FAILED, { since: task.createdAt, limit: MAX_NAMED });
    const data = JSON.stringify({ ...counts, failures: rows.map(({ run }) => run) });
    const { url } = await storeResult(trx, ctx, links, jsonResult(task.id, 'recurring-documents', data));
    const parts = [
      `${counted(made, 'recurring document')} made`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      ...(failed > 0 ? [`${failed} failed: see the result`] : []),
    ];
    assertRunning(
      await endTask(trx, ctx, task.id, { message: parts.join(', '), resultUrl: url, counts: { ...counts } }),
    );
    if (failed > 0) await alertAdmins(trx, ctx, failureNotice(failed, url));
  });
}

function failureNotice(failed: number, actionUrl: string) {
  return {
    title: `${counted(failed, 'recurring document')} could not be made`,
    body: 'The result of the task names them and says why. Mend the reason, then make them by POST …/runs/{runId}/retry.',
    actionLabel: 'Show',
    es: {
      title:
        failed === 1
          ? 'No se pudo crear 1 documento periódico'
          : `No se pudieron crear ${failed} documentos periódicos`,
      body: 'El resultado de la tarea los nombra y dice por qué. Corrija la causa y créelos con POST …/runs/{runId}/retry.',
      actionLabel: 'Ver',
    },
    actionUrl,
  };
}
