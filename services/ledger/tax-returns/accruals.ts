/**
 * Accrues what is still pending of the cash basis at the end of the year after the operation (LIVA, art. 163 terdecies;
 * decision 0345), as a task: some invoices at a time, each with an entry of its own.
 */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { query } from '../../../db/sql.ts';
import { FIRST_DAY, formatDay } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type PendingTax, PendingTaxes } from '../../../domain/ledger/accounting/cash-basis.ts';
import { counted } from '../../../domain/words.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { assertRunning, endTask, recordPosition } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { numberEntries } from '../accounting/numbers.ts';
import { openDay } from '../accounting/open-day.ts';
import { PENDING_TAXES } from '../accounting/pending-taxes.ts';
import { addEntry } from '../accounting/write-entry.ts';

/** The source of entries that accrue what no payment has. */
export const ACCRUAL_SOURCE = 'cash_basis';

/** Invoices looked at in one transaction. */
const BATCH_SIZE = 200;

interface Position {
  readonly rows: number;
  readonly total: number;
  /** The last invoice looked at, by the day on which its taxes accrue at the latest. */
  readonly after: { readonly dueOn: string; readonly documentId: string };
  readonly accrued: number;
}

const NOTHING: Position = {
  rows: 0,
  total: 0,
  after: { dueOn: FIRST_DAY, documentId: '00000000-0000-0000-0000-000000000000' },
  accrued: 0,
};

/** The last day of a calendar year. */
function lastDay(year: number): string {
  return formatDay(year, 12, 31);
}

/**
 * Starts a task that accrues what is pending of operations of the year before, and of earlier ones.
 * @throws ServiceError validation_failed if the year is not over, or no period has its last day; period_closed,
 * period_locked
 */
export async function startAccruals(trx: Db, ctx: Context, { year }: { readonly year: number }): Promise<Task> {
  const day = lastDay(year);
  if ((await loadToday(trx, ctx)) < day)
    throw invalidMember('/year', 'out_of_range', `must be over: what is pending accrues on ${day}`);
  await openDay(trx, ctx, 'general', day, day);
  return await startTask(trx, ctx, {
    kind: 'accrual',
    permission: 'tax_returns:read',
    input: { year },
    message: `Waiting to accrue VAT of the cash basis on ${day}`,
    title: `Cash basis ${year}`,
  });
}

/** Reports the number of invoices looked at, and the total. */
type Progress = (done: number, total: number) => Promise<void>;

/**
 * Accrues until nothing is left or the turn is over; the next attempt then continues.
 * @throws ServiceError period_closed, period_locked; TaskGone when the task has ended or was cancelled
 */
export async function accrueForTask(
  database: Database,
  ctx: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  progress: Progress,
  turnIsOver: () => boolean,
): Promise<void> {
  const { year } = task.input as { year: number };
  let position = (task.position as Position | null) ?? (await begin(database, ctx, year));
  for (let more = true; more; ) {
    const at = { ...ctx, now: now() };
    const before = position;
    const part = await database.withTenant(at, (trx) => accruePart(trx, at, { taskId: task.id, year, before }));
    position = part.position;
    more = part.more;
    await progress(position.rows, position.total);
    if (more && turnIsOver()) return;
  }
  const at = { ...ctx, now: now() };
  await database.withTenant(at, async (trx) => {
    const { accrued } = position;
    const data = JSON.stringify({ year, accrued });
    const { url } = await storeResult(trx, at, links, jsonResult(task.id, `cash-basis-${year}`, data));
    const message = `VAT of ${counted(accrued, 'invoice')} accrued on ${lastDay(year)}`;
    assertRunning(await endTask(trx, at, task.id, { message, resultUrl: url, counts: { accrued } }));
  });
}

async function begin(database: Database, ctx: Context, year: number): Promise<Position> {
  const sql =
    'select count(distinct (due_on, document_id))::int as total from pending_taxes where due_on <= :until::date';
  const [found] = await database.readTenant(ctx, (reader) =>
    query<{ total: number }>(reader, sql, { until: lastDay(year) }),
  );
  return { ...NOTHING, total: found?.total ?? 0 };
}

interface Invoice {
  readonly id: string;
  readonly code: string;
  readonly pending: readonly PendingTax[];
}

const NEXT_SQL = `select distinct due_on as "dueOn", document_id as "documentId" from pending_taxes
  where due_on <= :until::date and (due_on, document_id) > (:dueOn::date, :documentId::uuid)
  order by 1, 2 limit ${BATCH_SIZE}`;

/** Payments of the invoices lock them as well. */
const LOCK_SQL = `select id from documents where id = any(:ids::uuid[]) order by id for update`;

const LEFT_SQL = `select d.id, d.code, ${PENDING_TAXES} as pending
  from documents d join journal_entries e on e.source_id = d.id and e.reversal_of is null and e.status = 'posted'
    and e.source_type in ('sales_invoice', 'purchase_invoice')
  where d.id = any(:ids::uuid[]) and d.cancelled_at is null order by d.id`;

async function accruePart(
  trx: Db,
  ctx: Context,
  { taskId, year, before }: { readonly taskId: string; readonly year: number; readonly before: Position },
): Promise<{ readonly position: Position; readonly more: boolean }> {
  const until = lastDay(year);
  const next = await query<Position['after']>(trx, NEXT_SQL, { until, ...before.after });
  const ids = next.map(({ documentId }) => documentId);
  await query(trx, LOCK_SQL, { ids });
  const invoices = await query<Invoice>(trx, LEFT_SQL, { ids });
  const on = await openDay(trx, ctx, 'general', until, until);
  const { decimalPrecision } = await loadSettings(trx, 'format');
  const changes = new Changes(ctx);
  const entered = invoices.flatMap(({ id, code, pending }) => {
    const lines = new PendingTaxes({ open: '0', taxes: pending }, decimalPrecision).accrueAll();
    if (lines.length === 0) return [];
    const description = `Devengo del IVA por criterio de caja a ${until} · ${code}`;
    return [addEntry(changes, { ...on, description, sourceType: ACCRUAL_SOURCE, sourceId: id, lines })];
  });
  const position: Position = {
    rows: before.rows + next.length,
    total: Math.max(before.total, before.rows + next.length),
    after: next.at(-1) ?? before.after,
    accrued: before.accrued + entered.length,
  };
  if (next.length > 0) assertRunning(await recordPosition(trx, taskId, position, before.rows));
  if (entered.length > 0) {
    await changes.write(trx);
    await numberEntries(trx, ctx);
  }
  return { position, more: next.length === BATCH_SIZE };
}
