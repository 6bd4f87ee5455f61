/** Enters the depreciation that is due: an entry for each month or year, with a pair of lines for each account and dimension. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { AssetMovement, AssetRun } from '../../../../db/models/ledger/assets.ts';
import { invalidMember, ServiceError } from '../../../../domain/errors.ts';
import { groupBy } from '../../../../domain/group-by.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import type { RunFrequency } from '../../../../domain/ledger/assets/types.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { AccountBook } from '../../accounting/account-book.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { openDay } from '../../accounting/open-day.ts';
import { addEntry, type EntryDay } from '../../accounting/write-entry.ts';
import { movement } from '../register/acquisition.ts';
import { lockAssets } from '../register/lock.ts';
import { advanceAssets } from './asset-values.ts';
import { type DuePart, loadDue, loadPace, planAll } from './due.ts';

export interface RunRequest {
  /** Months or years that end on this day or before. */
  readonly to: string;
  readonly frequency: RunFrequency;
  /** Whether depreciation of closed periods is entered in the next open one. */
  readonly catchUp: boolean;
  /** Whether the service began it. */
  readonly automatic: boolean;
}

/**
 * Enters what is due. A repeat finds nothing, since each day of an asset is depreciated once.
 * @returns the run; null if nothing was due
 * @throws ServiceError period_closed; validation_failed for an account that cannot be used, or a date without a period
 */
export async function runDepreciation(trx: Db, ctx: Context, request: RunRequest): Promise<AssetRun | null> {
  await lockAssets(trx, ctx);
  const pace = await loadPace(trx, request.frequency);
  const parts = planAll(await loadDue(trx, request.to), request.to, pace);
  if (parts.length === 0) return null;
  const days = await entryDays(trx, ctx, parts, request);
  const book = await loadBook(trx, parts);
  const changes = new Changes(ctx);
  const runId = newId();
  for (const [date, together] of groupBy(parts, ({ date }) => (days.get(date) as EntryDay).date)) {
    const on = [...days.values()].find((day) => day.date === date) as EntryDay;
    addDay(changes, book, { runId, on, frequency: request.frequency }, together);
  }
  const { pending } = changes.takeNumber({ counter: 'asset_runs', prefix: 'AM', digits: 5 });
  const { to, frequency, automatic } = request;
  changes.create(AssetRun, {
    ...{ id: runId, ...pending, to, frequency, automatic, status: 'posted', undoneAt: null, createdBy: ctx.userId },
    assets: new Set(parts.map(({ asset }) => asset.id)).size,
    total: total(parts),
  });
  changes.follow(advanceAssets, { runId });
  const [run] = await changes.write(trx, AssetRun);
  await numberEntries(trx, ctx);
  return run ?? null;
}

/** Adds the entry of a day, with the movements that it enters. */
function addDay(
  changes: Changes,
  book: AccountBook,
  { runId, on, frequency }: { readonly runId: string; readonly on: EntryDay; readonly frequency: RunFrequency },
  parts: readonly DuePart[],
): void {
  const lines = book.completed(depreciationLines(parts));
  const description = `Amortización ${on.date.slice(0, frequency === 'year' ? 4 : 7)}`;
  const entry = { ...on, description, sourceType: 'asset_run', sourceId: runId, lines };
  const entryId = lines.length === 0 ? null : addEntry(changes, entry);
  changes.insert(
    AssetMovement,
    parts.map(({ asset, from, to, amount }) => {
      const days = { date: on.date, fromDate: from, toDate: to };
      return movement(changes.ctx, {
        ...{ assetId: asset.id, kind: 'depreciation', ...days, accumulated: amount, runId, entryId },
      });
    }),
  );
}

/** A pair of lines for each account and dimension. */
function depreciationLines(parts: readonly Pick<DuePart, 'asset' | 'amount'>[]): EntryLine[] {
  const pairs = groupBy(parts, ({ asset }) =>
    [asset.expenseAccountId, asset.accumulatedAccountId, asset.costCenterId, asset.projectId].join(),
  );
  return [...pairs.values()].flatMap((together) => {
    const amount = total(together);
    const [first] = together;
    if (first === undefined || decimal(amount).eq(0)) return [];
    const { expenseAccountId, accumulatedAccountId, costCenterId, projectId } = first.asset;
    const dimensions = { costCenterId, projectId };
    return [
      entryLine('debit', expenseAccountId, amount, dimensions),
      entryLine('credit', accumulatedAccountId, amount, dimensions),
    ];
  });
}

function total(parts: readonly { readonly amount: Decimal }[]): Decimal {
  return sum(parts.map(({ amount }) => amount)).toFixed();
}

/** Locks the accounts and checks that they can be used. @throws ServiceError validation_failed */
async function loadBook(trx: Db, parts: readonly DuePart[]): Promise<AccountBook> {
  const groups = new Map(parts.map(({ asset }) => [asset.groupCode, asset]));
  const named = [...groups.values()].flatMap(({ expenseAccountId, accumulatedAccountId, groupCode }) =>
    [expenseAccountId, accumulatedAccountId].map((id) => ({ id, groupCode })),
  );
  const book = await AccountBook.loadLocked(trx, { roles: [], accounts: named.map(({ id }) => id) });
  for (const { id, groupCode } of named) book.use(id, `in the asset group ${groupCode}`);
  book.faults.throwIfAny();
  return book;
}

/**
 * The day on which each month or year is entered: its last, or the last of the next one that is open.
 */
async function entryDays(
  trx: Db,
  ctx: Context,
  parts: readonly DuePart[],
  { catchUp }: RunRequest,
): Promise<Map<string, EntryDay>> {
  const days = new Map<string, EntryDay>();
  let waiting: string[] = [];
  for (const [date, [first]] of groupBy(parts, (part) => part.date)) {
    waiting.push(date);
    const on = await openDay(trx, ctx, 'general', date, date).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'validation_failed') throw withoutPeriod(first as DuePart);
      if (error.code !== 'period_closed' && error.code !== 'period_locked') throw error;
      if (!catchUp) throw closedMonth(date, 'run it with catchUp, which enters it in the next open one');
      return null;
    });
    if (on === null) continue;
    for (const each of waiting) days.set(each, on);
    waiting = [];
  }
  const [last] = waiting;
  if (last !== undefined) throw closedMonth(last, 'run it up to a day in an open one');
  return days;
}

/** Names the asset: it was acquired before the books begin, or its day is a mistake. */
function withoutPeriod({ asset, date }: DuePart): ServiceError {
  const message =
    `cannot include ${asset.code} because no accounting period contains ${date}; delete it and enter it with accumulated and ` +
    'depreciatedTo, or generate the periods of that year';
  return invalidMember('/to', 'no_period', message);
}

function closedMonth(date: string, instead: string): ServiceError {
  const message = `Depreciation up to ${date} cannot be entered because its period is closed or locked; open it, or ${instead}`;
  return new ServiceError('period_closed', message);
}
