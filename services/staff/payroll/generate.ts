/**
 * Generates the payrolls of a month as a task: a batch of employees at a time, saving progress with each, so that no
 * one is paid twice.
 */
import { randomInt } from 'node:crypto';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import type { LineNames } from '../../../domain/staff/payroll/month.ts';
import { counted } from '../../../domain/words.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { assertRunning, endTask, recordPosition } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { type Candidate, countCandidates, loadCandidates } from './candidates.ts';
import { addPosting, type Posting, payrollAccounts } from './entry.ts';
import { entryDay, findRates, type Month, monthName } from './month.ts';
import type { Generation } from './schemas.ts';
import { computeDraft, type NewPayroll, type Reason } from './work-out.ts';

/** Employees handled in one transaction. */
const BATCH_SIZE = 25;
/** Maximum skipped employees named in the result. */
const MAX_NAMED = 1000;

interface Input extends Month {
  readonly post: boolean;
}

/** Progress of a task. */
interface Position {
  readonly rows: number;
  readonly total: number;
  /** The last employee handled. */
  readonly after: string | null;
  readonly made: number;
  /** Number of employees who already had a payroll of the month. */
  readonly kept: number;
  readonly posted: number;
  /** Number of skipped employees, and the first ones. */
  readonly leftOut: number;
  readonly skipped: readonly { readonly employee_id: string; readonly code: string; readonly reason: Reason }[];
}

const NOTHING: Position = { rows: 0, total: 0, after: null, made: 0, kept: 0, posted: 0, leftOut: 0, skipped: [] };

/**
 * Starts a task that generates a month's missing payrolls.
 * @throws ServiceError validation_failed if there are no rates or no period; period_closed
 */
export async function startPayrolls(trx: Db, ctx: Context, { year, month, post = false }: Generation): Promise<Task> {
  findRates({ year, month });
  await entryDay(trx, ctx, { year, month });
  if (post) await payrollAccounts(trx, ctx);
  const input: Input = { year, month, post };
  const name = monthName(input);
  return await startTask(trx, ctx, {
    kind: 'payroll',
    permission: 'payroll:read',
    input: { ...input },
    message: `Waiting to generate payrolls of ${name}`,
    title: `Payrolls of ${name}`,
  });
}

/** Reports the number of employees handled, and the total. */
export type Progress = (done: number, total: number) => Promise<void>;

/**
 * Generates payrolls until all exist or the turn is over; the next attempt then continues.
 * @throws ServiceError period_closed, validation_failed; TaskGone when the task has ended or was cancelled
 */
export async function generatePayrollsForTask(
  database: Database,
  ctx: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  progress: Progress,
  turnIsOver: () => boolean,
): Promise<void> {
  const input = task.input as unknown as Input;
  let position = (task.position as Position | null) ?? (await begin(database, ctx, input));
  for (let more = true; more; ) {
    const at = { ...ctx, now: now() };
    const before = position;
    const part = await database.withTenant(at, (trx) => generatePart(trx, at, task.id, input, before));
    position = part.position;
    more = part.more;
    await progress(position.rows, position.total);
    if (more && turnIsOver()) return;
  }
  const at = { ...ctx, now: now() };
  await database.withTenant(at, (trx) => finish(trx, at, task.id, input, position, links));
}

/**
 * Makes the payrolls of the first employees in the transaction that starts the task, for its preview.
 * @returns the new payrolls, and whether these are all
 */
export async function previewPayrolls(
  trx: Db,
  ctx: Context,
  taskId: string,
  { year, month, post = false }: Generation,
): Promise<{ readonly payrolls: readonly Payroll[]; readonly complete: boolean }> {
  const { made, more } = await generatePart(trx, ctx, taskId, { year, month, post }, NOTHING);
  return { payrolls: made, complete: !more };
}

async function begin(database: Database, ctx: Context, month: Month): Promise<Position> {
  return { ...NOTHING, total: await database.readTenant(ctx, (reader) => countCandidates(reader, month)) };
}

async function generatePart(
  trx: Db,
  ctx: Context,
  taskId: string,
  input: Input,
  before: Position,
): Promise<{ readonly position: Position; readonly more: boolean; readonly made: readonly Payroll[] }> {
  const rates = findRates(input);
  const day = await entryDay(trx, ctx, input);
  await lockMonth(trx, ctx, input);
  const candidates = await loadCandidates(trx, input, before.after, BATCH_SIZE);
  const names = await lineNames(trx, input);
  const worked = candidates.map((candidate) =>
    candidate.payrollId === null ? computeDraft(candidate, input, rates, names) : null,
  );
  const drafts = shuffle(worked.filter((draft) => draft !== null && typeof draft !== 'string'));
  const kept = candidates.flatMap(({ payrollId }) => payrollId ?? []);
  const unposted = input.post ? await lockDrafts(trx, kept) : [];
  const posting = input.post ? { accounts: await payrollAccounts(trx, ctx), day } : null;
  const changes = new Changes(ctx);
  const made = drafts.map((draft) => addPayroll(changes, draft, posting));
  if (posting !== null)
    for (const draft of unposted) changes.change(Payroll, draft, addPosting(changes, draft, posting));
  // A period with drafts cannot be closed, and none can come while it is.
  if (made.length > 0) changes.hold(day.area, day.periodId);
  const posted = posting === null ? 0 : drafts.length + unposted.length;
  const skipped = describeSkipped(candidates, worked);
  const position: Position = {
    rows: before.rows + candidates.length,
    total: Math.max(before.total, before.rows + candidates.length),
    after: candidates.at(-1)?.id ?? before.after,
    made: before.made + drafts.length,
    kept: before.kept + kept.length,
    posted: before.posted + posted,
    leftOut: before.leftOut + skipped.length,
    skipped: [...before.skipped, ...skipped].slice(0, MAX_NAMED),
  };
  if (candidates.length > 0) assertRunning(await recordPosition(trx, taskId, position, before.rows));
  await changes.write(trx);
  if (posted > 0) await numberEntries(trx, ctx);
  return { position, more: candidates.length === BATCH_SIZE, made };
}

/**
 * Shuffles employees: ids and entries follow this order, which would otherwise reveal to bookkeepers whose pay each one
 * is.
 */
function shuffle<T>(rows: readonly T[]): T[] {
  const placed = rows.map((row) => ({ row, place: randomInt(2 ** 47) }));
  return placed.sort((a, b) => a.place - b.place).map(({ row }) => row);
}

/** Locks drafts that existed before. */
async function lockDrafts(trx: Db, ids: readonly string[]): Promise<Payroll[]> {
  if (ids.length === 0) return [];
  return await Payroll.query(trx)
    .whereIn('id', [...ids])
    .where({ status: 'D' })
    .orderBy('id')
    .forUpdate();
}

function addPayroll(changes: Changes, draft: NewPayroll, posting: Posting | null): Payroll {
  const nothing = { entryId: null, reversalId: null, paymentId: null, postedAt: null, cancelledAt: null };
  const row = { ...draft, ...nothing, id: newId(), createdBy: changes.ctx.userId };
  return changes.create(Payroll, { ...row, ...(posting === null ? {} : addPosting(changes, row, posting)) });
}

function describeSkipped(
  candidates: readonly Candidate[],
  worked: readonly (object | string | null)[],
): Position['skipped'] {
  return candidates.flatMap(({ id, code }, index) => {
    const reason = worked[index];
    return typeof reason === 'string' ? [{ employee_id: id, code, reason: reason as Reason }] : [];
  });
}

/** Serializes concurrent generations of a month; later ones find what earlier ones created. */
async function lockMonth(trx: Db, { tenantId }: Context, month: Month): Promise<void> {
  await lockName(trx, `payroll:${tenantId}:${monthName(month)}`);
}

async function lineNames(trx: Db, { month }: Month): Promise<LineNames> {
  const { locale } = await loadSettings(trx, 'format');
  const isFirst = month <= 6;
  return locale.startsWith('es')
    ? { salary: 'Salario base', extraPay: `Paga extraordinaria de ${isFirst ? 'junio' : 'diciembre'}` }
    : { salary: 'Base salary', extraPay: `Extra pay of ${isFirst ? 'June' : 'December'}` };
}

async function finish(
  trx: Db,
  ctx: Context,
  taskId: string,
  input: Input,
  { made, kept, posted, leftOut, skipped }: Position,
  links: ResultLinks,
): Promise<void> {
  const name = monthName(input);
  const data = { year: input.year, month: input.month, made, kept, posted, left_out: leftOut, skipped };
  const { url } = await storeResult(trx, ctx, links, jsonResult(taskId, `payrolls-${name}`, JSON.stringify(data)));
  const parts = [
    `${counted(made, 'payroll')} of ${name} made`,
    ...(posted > 0 ? [`${posted} posted`] : []),
    ...(kept > 0 ? [`${kept} there before`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out: see the result`] : []),
  ];
  const end = { message: parts.join(', '), resultUrl: url, counts: { made, kept, posted, skipped: leftOut } };
  assertRunning(await endTask(trx, ctx, taskId, end));
}
