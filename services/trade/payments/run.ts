/** Matches all open payments as a background task: page by page, each with its decisions and position in one transaction. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { prepared, query } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { percentDone } from '../../../domain/platform/tasks.ts';
import type { StoredRequest } from '../../../domain/trade/payments/types.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { assertRunning, endTask, recordPosition, runningTask } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { loadFacts } from './facts.ts';
import { lockPayments, unappliedAmount } from './payment.ts';
import { matchRequest } from './pending.ts';
import { checkRange } from './range.ts';
import { type Reconciled, reconcilePayments } from './reconcile.ts';
import type { RunInput } from './schemas.ts';

/** Payments per transaction. */
const PAGE = 50;

export type RunRequest = StoredRequest & Pick<RunInput, 'direction' | 'partner_id'>;

interface Position {
  /** Number of payments decided. */
  readonly rows: number;
  readonly total: number;
  readonly matched: number;
  /** The last payment decided, and the last one when the run began, in order of registration. */
  readonly after: string | null;
  readonly last: string | null;
  readonly [name: string]: unknown;
}

/** Starts a task that matches all open payments. @throws ServiceError validation_failed */
export async function startReconciliationRun(trx: Db, ctx: Context, request: RunRequest): Promise<Task> {
  const faults = new Faults();
  checkRange(request, '', faults);
  if (request.partner_id !== undefined) {
    const known = await query(trx, 'select from partners where id = :id::uuid', { id: request.partner_id });
    if (known.length === 0) faults.add('/partner_id', 'invalid_reference', 'refers to a partner that does not exist');
  }
  faults.throwIfAny();
  return startTask(trx, ctx, {
    kind: 'reconciliation',
    permission: 'payments:read',
    input: { ...request },
    message: 'Waiting to match open payments',
    title: 'Matching of all open payments',
  });
}

/** SQL condition: open payments of the request. */
const OPEN = `p.applied_total < p.amount
  and (:direction::text is null or p.direction = :direction)
  and (:partner::uuid is null or p.partner_id = :partner::uuid)`;

/**
 * Decides the next page of a run; the last one ends the task.
 * @throws TaskGone when it ended or was cancelled: then nothing of the page is written
 */
export async function reconciliationRunPage(
  database: Database,
  ctx: Context,
  taskId: string,
  links: ResultLinks,
): Promise<{ readonly ended: boolean; readonly progress: number; readonly message: string }> {
  return database.withTenant(ctx, async (trx) => {
    const task = await runningTask(trx, taskId);
    if (task === undefined) return { ended: true, progress: 100, message: '' };
    const request = task.input as unknown as RunRequest;
    const position = (task.position as Position | null) ?? (await beginning(trx, request));
    const next = await decideNext(trx, ctx, taskId, request, position);
    if (next === null) {
      await finish(trx, ctx, { taskId, links }, request, position);
      return { ended: true, progress: 100, message: '' };
    }
    return { ended: false, progress: percentDone(next.rows, next.total), message: inWords(next) };
  });
}

/**
 * Decides the first page of a run in the transaction that starts it, for its preview.
 * @returns the decisions, and whether these are all
 */
export async function previewRun(trx: Db, ctx: Context, taskId: string, request: RunRequest) {
  const next = await decideNext(trx, ctx, taskId, request, await beginning(trx, request));
  return { decisions: await readDecisions(trx, taskId), complete: next === null || next.rows >= next.total };
}

/** The decisions of a run as its result shows them, in the order of the payments. */
async function readDecisions(trx: Db, runId: string): Promise<unknown> {
  const [row] = await query<{ decisions: unknown }>(
    trx,
    `select coalesce(json_agg(${DECISION} order by payment_id), '[]') as decisions from payment_decisions where run_id = :runId::uuid`,
    { runId },
  );
  return row?.decisions;
}

/** SQL of a decision as JSON. */
const DECISION = `json_build_object(
  'payment_id', payment_id, 'direction', direction, 'partner_id', partner_id, 'reference', reference,
  'amount', amount::float8, 'applied', applied::float8, 'remaining', remaining::float8,
  'documents', documents, 'explanation', explanation)`;

/** Decides the next page. @returns the position after it; null when no payment is left */
async function decideNext(
  trx: Db,
  ctx: Context,
  taskId: string,
  request: RunRequest,
  position: Position,
): Promise<Position | null> {
  const ids = await nextPayments(trx, request, position);
  if (ids.length === 0) return null;
  const locked = (await lockPayments(trx, ids)).filter((payment) => decimal(unappliedAmount(payment)).gt(0));
  const facts = await loadFacts(trx, ctx);
  const decided: Reconciled[] = [];
  for (const direction of ['in', 'out'] as const) {
    const payments = locked.filter((payment) => payment.direction === direction);
    if (payments.length === 0) continue;
    const options = { runId: taskId, tolerant: true };
    decided.push(...(await reconcilePayments(trx, ctx, facts, direction, payments, matchRequest(request), options)));
  }
  await keepDecisions(trx, ctx, taskId, decided);
  const next: Position = {
    ...position,
    rows: position.rows + ids.length,
    matched: position.matched + decided.filter(({ links }) => links.length > 0).length,
    after: ids.at(-1) ?? null,
  };
  assertRunning(await recordPosition(trx, taskId, next, position.rows));
  return next;
}

async function beginning(trx: Db, request: RunRequest): Promise<Position> {
  const [open] = await query<{ total: number; last: string | null }>(
    trx,
    `select count(*)::int as total,
       (select p.id from payments p where ${OPEN} order by p.id desc limit 1) as last
     from payments p
     where ${OPEN}`,
    scope(request),
  );
  return { rows: 0, total: open?.total ?? 0, matched: 0, after: null, last: open?.last ?? null };
}

async function nextPayments(trx: Db, request: RunRequest, { after, last }: Position): Promise<string[]> {
  if (last === null) return [];
  const rows = await query<{ id: string }>(
    trx,
    `select p.id from payments p
     where ${OPEN} and (:after::uuid is null or p.id > :after::uuid) and p.id <= :last::uuid
     order by p.id
     limit ${PAGE}`,
    { ...scope(request), after, last },
  );
  return rows.map(({ id }) => id);
}

function scope({ direction, partner_id }: RunRequest) {
  return { direction: direction ?? null, partner: partner_id ?? null };
}

async function keepDecisions(trx: Db, ctx: Context, runId: string, decided: readonly Reconciled[]): Promise<void> {
  const decisions = decided.map(({ payment, links, explanation }) => ({
    id: newId(),
    paymentId: payment.id,
    direction: payment.direction,
    partnerId: payment.partner.id,
    reference: payment.reference,
    amount: payment.amount,
    applied: applied(links),
    remaining: unappliedAmount(payment),
    documents: links.map((link) => ({
      document_id: link.documentId,
      code: link.documentCode,
      amount_applied: Number(link.amount),
    })),
    explanation,
  }));
  await prepared(
    trx,
    `insert into payment_decisions
       (id, tenant_id, run_id, payment_id, direction, partner_id, reference, amount, applied, remaining, documents, explanation)
     select id, :tenant, :runId, "paymentId", direction, "partnerId", reference, amount, applied, remaining, documents, explanation
     from json_to_recordset(:decisions::json) as n(
       id uuid, "paymentId" uuid, direction text, "partnerId" uuid, reference text, amount numeric, applied numeric, remaining numeric,
       documents jsonb, explanation text)`,
    { tenant: ctx.tenantId, runId, decisions: JSON.stringify(decisions) },
  );
}

function applied(links: Reconciled['links']): Decimal {
  return sum(links.map((link) => link.amount)).toFixed();
}

/** The result is one file: the request, the totals, and each decision in the order of the payments. */
async function finish(
  trx: Db,
  ctx: Context,
  { taskId, links }: { readonly taskId: string; readonly links: ResultLinks },
  request: RunRequest,
  position: Position,
): Promise<void> {
  const [result] = await query<{ applied: number; decisions: string }>(
    trx,
    `select coalesce(sum(applied), 0)::float8 as applied,
       coalesce(
         json_agg(${DECISION} order by payment_id),
         '[]')::text as decisions
     from payment_decisions
     where run_id = :id::uuid`,
    { id: taskId },
  );
  const head = JSON.stringify({
    request,
    payments: position.rows,
    matched: position.matched,
    applied: result?.applied ?? 0,
  });
  const data = `${head.slice(0, -1)},"decisions":${result?.decisions ?? '[]'}}`;
  const { url: resultUrl } = await storeResult(trx, ctx, links, jsonResult(taskId, 'reconciliation', data));
  await query(trx, 'delete from payment_decisions where run_id = :id::uuid', { id: taskId });
  assertRunning(
    await endTask(trx, ctx, taskId, {
      message: inWords(position),
      counts: { payments: position.rows, matched: position.matched },
      resultUrl,
    }),
  );
}

function inWords({ rows, total, matched }: Position): string {
  const [done, all, found] = [rows, Math.max(total, rows), matched].map((count) => count.toLocaleString('en-US'));
  return `${done} of ${all} payments, ${found} matched`;
}
