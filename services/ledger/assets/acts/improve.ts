/** Improvements: they add to the cost, and are depreciated over what is left of the useful life. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, decimalPlaces, optionalDecimal } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { movement } from '../register/acquisition.ts';
import { plannedDays } from '../register/prepare.ts';
import { checkLeft, findPurchaseLine } from '../register/purchase-line.ts';
import { loadGroup, lockActive } from './active.ts';
import type { ImprovementInput } from './schemas.ts';

/** @throws ServiceError not_found, stale_version, invalid_transition; validation_failed with a pointer for each fault */
export async function improveAsset(
  trx: Db,
  ctx: Context,
  id: string,
  input: ImprovementInput,
  ifMatch: number | null,
): Promise<void> {
  const asset = await lockActive(trx, ctx, id, ifMatch);
  const faults = new Faults();
  const { date, amount, documentLineId } = await bought(trx, asset, input, faults);
  await checkAmount(trx, asset, amount, faults);
  if (date < asset.acquiredOn)
    faults.add('/date', 'out_of_range', `must not be before acquiredOn, ${asset.acquiredOn}`);
  const usefulLifeMonths = input.usefulLifeMonths ?? asset.usefulLifeMonths;
  const days = plannedDays({ ...asset, usefulLifeMonths }, asset.depreciatedTo);
  if (asset.method !== 'none' && days.nextFrom === null)
    faults.add(
      '/usefulLifeMonths',
      'required',
      `must be given and go beyond ${asset.depreciatedTo}, when its useful life ended`,
    );
  faults.throwIfAny();
  const changes = new Changes(ctx);
  const given = { assetId: id, date, cost: amount, documentLineId, description: input.description ?? null };
  const longer = { usefulLifeMonths: (usefulLifeMonths ?? 0) - (asset.usefulLifeMonths ?? 0) };
  changes.insert(AssetMovement, [movement(ctx, { ...given, ...longer, kind: 'improvement' })]);
  changes.change(Asset, asset, { cost: decimal(asset.cost).plus(amount).toFixed(), usefulLifeMonths, ...days });
  await changes.write(trx);
}

async function bought(trx: Db, asset: Asset, input: ImprovementInput, faults: Faults) {
  const { documentLineId = null } = input;
  const given = { date: input.date ?? null, amount: optionalDecimal(input.amount) };
  const line =
    documentLineId === null
      ? null
      : await findPurchaseLine(trx, documentLineId, (await loadGroup(trx, asset)).assetAccountId, faults);
  const date = given.date ?? line?.date ?? null;
  const amount = given.amount ?? line?.left ?? null;
  if (documentLineId === null && date === null) faults.add('/date', 'required', 'is required without documentLineId');
  if (documentLineId === null && amount === null)
    faults.add('/amount', 'required', 'is required without documentLineId');
  faults.throwIfAny();
  if (line !== null && amount !== null) checkLeft(line, amount, '/amount', faults);
  return { date: date as string, amount: amount as Decimal, documentLineId };
}

async function checkAmount(trx: Db, asset: Asset, amount: Decimal, faults: Faults): Promise<void> {
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  if (decimal(amount).eq(0)) faults.add('/amount', 'out_of_range', 'must not be 0');
  if (decimalPlaces(amount) > places)
    faults.add('/amount', 'too_many_decimals', `must have at most ${places} decimals`);
  const least = decimal(asset.residualValue).minus(asset.netBookValue);
  if (decimal(amount).lt(0) && (decimal(amount).lt(least) || decimal(asset.cost).plus(amount).lte(0)))
    faults.add('/amount', 'out_of_range', 'must leave the asset its residual value and a cost above 0');
}
