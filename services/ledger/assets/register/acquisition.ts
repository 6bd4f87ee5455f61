/** The first movements of an asset. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { type Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import type { Row } from '../../../../db/models/table.ts';
import type { MovementKind } from '../../../../domain/ledger/assets/types.ts';
import { decimal } from '../../../../domain/money.ts';

export type Movement = Row<typeof AssetMovement>;

/** A movement with what is usual. */
export function movement(
  { userId, now }: Pick<Context, 'userId' | 'now'>,
  given: Partial<Movement> & Pick<Movement, 'assetId' | 'date'> & { readonly kind: MovementKind },
): Movement {
  return {
    id: newId(),
    ...{ cost: '0', accumulated: '0', impairment: '0', residualValue: '0', initialCost: '0' },
    usefulLifeMonths: 0,
    ...{ fromDate: null, toDate: null, runId: null, entryId: null },
    ...{ documentLineId: null, proceeds: null, description: null, standing: true, undoesId: null },
    createdBy: userId,
    createdAt: now.toISOString(),
    ...given,
  };
}

/** Enters what a new asset cost, and the depreciation that it brings along. */
export async function enterAcquisition(trx: Db, ctx: Context, asset: Asset): Promise<void> {
  const { id: assetId, acquiredOn: date, cost, documentLineId, accumulated, takenOverTo: toDate } = asset;
  const bought = movement(ctx, { assetId, kind: 'acquisition', date, cost, documentLineId });
  const brought = decimal(accumulated).eq(0) || toDate === null ? [] : [{ date: toDate, toDate, accumulated }];
  const rows = [bought, ...brought.map((each) => movement(ctx, { assetId, kind: 'takeover', ...each }))];
  await new Changes(ctx).insert(AssetMovement, rows).write(trx);
}
