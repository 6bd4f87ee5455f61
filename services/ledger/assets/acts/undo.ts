/** Undoes what was done last with an asset: an improvement, impairment, reversal or disposal. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import { leftToCapitalise } from '../../../../db/queries/assets.ts';
import { query } from '../../../../db/sql.ts';
import { assertVersion } from '../../../../db/write.ts';
import { notFound, ServiceError } from '../../../../domain/errors.ts';
import { sum } from '../../../../domain/money.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { takeBack } from '../../accounting/take-back.ts';
import type { Movement } from '../register/acquisition.ts';
import { lockAssets } from '../register/lock.ts';
import { plannedDays } from '../register/prepare.ts';
import { type UndoOptions, VALUES } from '../runs/undo.ts';

/**
 * @throws ServiceError not_found, stale_version, period_closed; invalid_transition when a run came last, or there is nothing to undo;
 * in_use when the line of the purchase was credited since
 */
export async function undoLast(trx: Db, ctx: Context, id: string, { ifMatch, date }: UndoOptions): Promise<void> {
  await lockAssets(trx, ctx);
  const asset = (await Asset.query(trx).findById(id).forUpdate()) as Asset | undefined;
  if (asset === undefined) throw notFound('This asset');
  assertVersion(asset, ifMatch);
  const standing = (await AssetMovement.query(trx).where({ asset_id: id, standing: true }).orderBy('id')) as Movement[];
  const rows = lastAct(asset, standing);
  const changes = new Changes(ctx);
  const { back } = await takeBack(trx, changes, AssetMovement, rows, [...VALUES, 'usefulLifeMonths'], { date });
  const kept = standing.filter((row) => !rows.includes(row));
  const depreciatedTo = kept.reduce<string | null>((to, row) => later(to, row.toDate), asset.takenOverTo);
  const values = Object.fromEntries(
    VALUES.map((member) => [member, sum([asset[member], ...back.map((row) => row[member])]).toFixed()]),
  ) as Pick<Asset, (typeof VALUES)[number]>;
  const shorter = rows.reduce((months, row) => months + row.usefulLifeMonths, 0);
  const usefulLifeMonths = asset.usefulLifeMonths === null ? null : asset.usefulLifeMonths - shorter;
  const days = plannedDays({ ...asset, ...values, usefulLifeMonths }, depreciatedTo);
  const now = { ...values, usefulLifeMonths, ...days, depreciatedTo };
  changes.change(Asset, asset, { ...now, status: 'active', disposedOn: null });
  await changes.write(trx);
  await assertLinesLeft(trx, asset);
  await numberEntries(trx, ctx);
}

/** The movements of what was done last. @throws ServiceError invalid_transition */
function lastAct({ code }: Asset, standing: readonly Movement[]): readonly Movement[] {
  const last = standing.findLast(({ kind }) => kind !== 'acquisition' && kind !== 'takeover');
  if (last === undefined)
    throw new ServiceError(
      'invalid_transition',
      `Nothing can be undone of ${code}: it was acquired, and nothing since`,
    );
  if (last.runId !== null)
    throw new ServiceError('invalid_transition', `${code} was depreciated by a run after that; undo the run first`);
  return last.entryId === null ? [last] : standing.filter(({ entryId }) => entryId === last.entryId);
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

/** @throws ServiceError in_use */
async function assertLinesLeft(trx: Db, { id, code }: Asset): Promise<void> {
  const [beyond] = await query(
    trx,
    `select l.id from asset_movements m join document_lines l on l.id = m.document_line_id
     where m.asset_id = :id::uuid and m.standing and m.kind <> 'disposal' and ${leftToCapitalise('l')} < 0 limit 1`,
    { id },
  );
  if (beyond === undefined) return;
  throw new ServiceError(
    'in_use',
    `${code} cannot get its cost back because the purchase was credited since; cancel the credit first`,
  );
}
