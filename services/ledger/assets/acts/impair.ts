/** Impairments and their reversal (PGC, valuation rule 2, section 2.2): entered at once, and depreciation goes on with what is left. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import type { Row } from '../../../../db/models/table.ts';
import { Faults } from '../../../../domain/faults.ts';
import { entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import { type PastMovement, valueWithoutImpairment } from '../../../../domain/ledger/assets/recoverable.ts';
import { decimal, decimalPlaces } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { addEntry } from '../../accounting/write-entry.ts';
import { movement } from '../register/acquisition.ts';
import { toTerms } from '../register/prepare.ts';
import { actDay, groupAccounts, loadGroup, lockActive } from './active.ts';
import type { ImpairmentInput } from './schemas.ts';

/** @throws ServiceError not_found, stale_version, invalid_transition, period_closed, validation_failed */
export async function impairAsset(
  trx: Db,
  ctx: Context,
  id: string,
  input: ImpairmentInput,
  ifMatch: number | null,
): Promise<void> {
  const asset = await lockActive(trx, ctx, id, ifMatch);
  const most = decimal(asset.netBookValue);
  await checkAmount(
    trx,
    input,
    decimal(input.amount).gt(most),
    `must be at most ${most.toFixed()}, the value in the books`,
  );
  await enter(trx, ctx, asset, input, 'impairment');
}

/**
 * Takes an impairment back, as far as the asset is then worth what it would be without any.
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, validation_failed
 */
export async function reverseImpairment(
  trx: Db,
  ctx: Context,
  id: string,
  input: ImpairmentInput,
  ifMatch: number | null,
): Promise<void> {
  const asset = await lockActive(trx, ctx, id, ifMatch);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const past = (await AssetMovement.query(trx).where({ asset_id: id, standing: true }).orderBy('id')) as Row<
    typeof AssetMovement
  >[];
  const ceiling = valueWithoutImpairment(toTerms(asset), asset.residualValue, past as readonly PastMovement[], places);
  const room = ceiling.minus(asset.netBookValue);
  const most = room.lt(asset.impairment) ? room : decimal(asset.impairment);
  const message = `must be at most ${most.toFixed()}, so that the asset is not worth more than without the impairment`;
  await checkAmount(trx, input, decimal(input.amount).gt(most), message);
  await enter(trx, ctx, asset, input, 'impairment_reversal');
}

async function checkAmount(trx: Db, { amount }: ImpairmentInput, tooMuch: boolean, message: string): Promise<void> {
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const faults = new Faults();
  if (decimalPlaces(amount) > places)
    faults.add('/amount', 'too_many_decimals', `must have at most ${places} decimals`);
  else if (tooMuch) faults.add('/amount', 'out_of_range', message);
  faults.throwIfAny();
}

async function enter(
  trx: Db,
  ctx: Context,
  asset: Asset,
  { date, amount: given, description }: ImpairmentInput,
  kind: 'impairment' | 'impairment_reversal',
): Promise<void> {
  const on = await actDay(trx, ctx, asset, date);
  const amount = decimal(given).toFixed();
  const isLoss = kind === 'impairment';
  const { accounts, book } = await groupAccounts(trx, await loadGroup(trx, asset), [
    'impairmentAccountId',
    isLoss ? 'impairmentLossAccountId' : 'impairmentReversalAccountId',
  ]);
  const { id: assetId, code, name, costCenterId, projectId } = asset;
  const dimensions = { costCenterId, projectId };
  const lines = isLoss
    ? [
        entryLine('debit', accounts.impairmentLossAccountId, amount, dimensions),
        entryLine('credit', accounts.impairmentAccountId, amount, dimensions),
      ]
    : [
        entryLine('debit', accounts.impairmentAccountId, amount, dimensions),
        entryLine('credit', accounts.impairmentReversalAccountId, amount, dimensions),
      ];
  const text = `${isLoss ? 'Deterioro' : 'Reversión del deterioro'} ${code} ${name}`;
  const changes = new Changes(ctx);
  const entryId = addEntry(changes, {
    ...on,
    description: text,
    sourceType: 'asset',
    sourceId: assetId,
    lines: book.completed(lines),
  });
  const impairment = isLoss ? amount : decimal(amount).neg().toFixed();
  changes.insert(AssetMovement, [
    movement(ctx, { assetId, kind, date: on.date, impairment, entryId, description: description ?? null }),
  ]);
  changes.change(Asset, asset, { impairment: decimal(asset.impairment).plus(impairment).toFixed() });
  await changes.write(trx);
  await numberEntries(trx, ctx);
}
