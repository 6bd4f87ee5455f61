/** Undoes the last run of depreciation: its entries are reversed, and its days can be depreciated again. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { AssetMovement, AssetRun } from '../../../../db/models/ledger/assets.ts';
import { query } from '../../../../db/sql.ts';
import { assertVersion } from '../../../../db/write.ts';
import { notFound, ServiceError } from '../../../../domain/errors.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { openDay } from '../../accounting/open-day.ts';
import { opposite } from '../../accounting/take-back.ts';
import { addReversal, type EntryDay, loadStanding } from '../../accounting/write-entry.ts';
import type { Movement } from '../register/acquisition.ts';
import { lockAssets } from '../register/lock.ts';
import { bringBack } from './asset-values.ts';

/** Values of an asset that its movements change. */
export const VALUES = ['cost', 'accumulated', 'impairment', 'residualValue', 'initialCost'] as const;

export interface UndoOptions {
  readonly ifMatch: number | null;
  /** Date of the reversals; by default each has that of its entry. */
  readonly date?: string;
}

/**
 * @returns the run
 * @throws ServiceError not_found, stale_version, period_closed; invalid_transition when it is undone already, another one came later, or an
 * asset of it was disposed of, wholly or in part
 */
export async function undoRun(trx: Db, ctx: Context, id: string, { ifMatch, date }: UndoOptions): Promise<AssetRun> {
  await lockAssets(trx, ctx);
  const run = (await AssetRun.query(trx).findById(id)) as AssetRun | undefined;
  if (run === undefined) throw notFound('This run');
  assertVersion(run, ifMatch);
  await assertLast(trx, run);
  const changes = new Changes(ctx);
  const reversals = new Map<string, { readonly entryId: string; readonly on: EntryDay }>();
  for (const entry of await loadStanding(trx, id)) {
    const on = await openDay(trx, ctx, 'general', date ?? entry.date, entry.date, '/date');
    reversals.set(entry.id, { entryId: addReversal(changes, entry, on), on });
  }
  const rows = (await AssetMovement.query(trx).where({ run_id: id, standing: true }).orderBy('id')) as Movement[];
  changes.insert(
    AssetMovement,
    rows.map((row) => {
      const reversal = row.entryId === null ? undefined : reversals.get(row.entryId);
      return opposite(changes.ctx, row, VALUES, {
        entryId: reversal?.entryId ?? null,
        date: reversal?.on.date ?? date ?? row.date,
      });
    }),
  );
  const undone = changes.change(AssetRun, run, { status: 'undone', undoneAt: ctx.now.toISOString() });
  changes.follow(bringBack, { runId: id });
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return undone;
}

const LATER = `
  select (select code from asset_runs where status = 'posted' and id > :id::uuid order by id desc limit 1) as run,
    (select a.code from asset_movements m join assets a on a.id = m.asset_id
      join asset_movements d on d.asset_id = m.asset_id and d.kind = 'disposal' and d.standing and d.id > m.id
     where m.run_id = :id::uuid limit 1) as asset`;

/** @throws ServiceError invalid_transition */
async function assertLast(trx: Db, { id, code, status }: AssetRun): Promise<void> {
  const [later] = await query<{ run: string | null; asset: string | null }>(trx, LATER, { id });
  if (status === 'undone')
    throw new ServiceError('invalid_transition', `${code} cannot be undone because it is undone already`);
  if (later?.run)
    throw new ServiceError(
      'invalid_transition',
      `${code} cannot be undone because ${later.run} came later; undo that first`,
    );
  if (later?.asset) {
    const message = `${code} cannot be undone because ${later.asset} was disposed of; undo the disposal first`;
    throw new ServiceError('invalid_transition', message);
  }
}
