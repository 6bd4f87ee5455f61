/** Disposals: depreciation up to the day, cost and depreciation out of the books, and the result (PGC, valuation rule 2, section 3). */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import { dayBefore, endOfMonth } from '../../../../domain/days.ts';
import { invalidMember } from '../../../../domain/errors.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import { depreciate } from '../../../../domain/ledger/assets/depreciation.ts';
import { type DisposedValues, disposedPart } from '../../../../domain/ledger/assets/disposal.ts';
import { earlier } from '../../../../domain/ledger/assets/life.ts';
import { type Decimal, decimal, decimalPlaces, round } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { areaOfAccount } from '../../accounting/entry-area.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { addEntry } from '../../accounting/write-entry.ts';
import { movement } from '../register/acquisition.ts';
import { plannedDays, toTerms } from '../register/prepare.ts';
import { VALUES } from '../runs/undo.ts';
import { actDay, groupAccounts, loadGroup, lockActive } from './active.ts';
import { findProceeds, type Proceeds } from './proceeds.ts';
import type { DisposalInput } from './schemas.ts';

/**
 * Disposes of an asset, or of a part of it, which takes its share of all values.
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed; validation_failed with a pointer for each fault
 */
export async function disposeOfAsset(
  trx: Db,
  ctx: Context,
  id: string,
  input: DisposalInput,
  ifMatch: number | null,
): Promise<void> {
  const asset = await lockActive(trx, ctx, id, ifMatch);
  const sale = await findProceeds(trx, input);
  const on = await actDay(trx, ctx, asset, input.date, await areaOfAccount(trx, sale.accountId));
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const last = lastDepreciation(asset, on.date, places);
  const whole = {
    ...asset,
    accumulated: decimal(asset.accumulated)
      .plus(last?.accumulated ?? '0')
      .toFixed(),
  };
  const cost = partCost(asset, input, places);
  // An asset that goes as a whole keeps its terms, by which it comes back if this is undone.
  const part =
    cost === null ? ({ ...whole, residualValue: '0', initialCost: '0' } as const) : disposedPart(whole, cost, places);
  const lines = await disposalLines(trx, asset, last?.accumulated ?? '0', part, sale);
  const changes = new Changes(ctx);
  const text = `Baja ${cost === null ? '' : 'parcial '}${asset.code} ${asset.name}`;
  const entryId = addEntry(changes, { ...on, description: text, sourceType: 'asset', sourceId: id, lines });
  const given = { assetId: id, date: on.date, entryId };
  const { documentLineId, amount: proceeds } = sale;
  const { description = null } = input;
  const out = Object.fromEntries(VALUES.map((member) => [member, decimal(part[member]).neg().toFixed()]));
  changes.insert(AssetMovement, [
    ...(last === null ? [] : [movement(ctx, { ...given, kind: 'depreciation', ...last })]),
    movement(ctx, { ...given, kind: 'disposal', ...out, documentLineId, proceeds, description }),
  ]);
  const left = Object.fromEntries(
    VALUES.map((member) => [member, decimal(whole[member]).minus(part[member]).toFixed()]),
  ) as Pick<Asset, (typeof VALUES)[number]>;
  const depreciatedTo = last?.toDate ?? asset.depreciatedTo;
  const state =
    cost === null
      ? ({ status: 'disposed', disposedOn: on.date, nextFrom: null } as const)
      : { nextFrom: plannedDays({ ...asset, ...left }, depreciatedTo).nextFrom };
  changes.change(Asset, asset, { ...left, ...state, depreciatedTo });
  await changes.write(trx);
  await numberEntries(trx, ctx);
}

/** The cost of the part that is disposed of; null for the whole. @throws ServiceError validation_failed */
function partCost({ cost: whole }: Asset, { percentage, cost }: DisposalInput, places: number): Decimal | null {
  if (percentage === undefined && cost === undefined) return null;
  if (percentage !== undefined && cost !== undefined)
    throw invalidMember('/cost', 'exclusive', 'cannot be given together with percentage');
  if (cost !== undefined && decimalPlaces(cost) > places)
    throw invalidMember('/cost', 'too_many_decimals', `must have at most ${places} decimals`);
  const part =
    percentage === undefined ? decimal(cost ?? 0).toFixed() : round(decimal(whole).times(percentage).div(100), places);
  if (percentage === 100 || part === decimal(whole).toFixed()) return null;
  if (decimal(part).gt(whole) || decimal(part).lte(0))
    throw invalidMember(
      percentage === undefined ? '/cost' : '/percentage',
      'out_of_range',
      `must be a part of ${decimal(whole).toFixed()}, the cost of the asset`,
    );
  return part;
}

/** The depreciation still to be entered up to the day of the disposal; null for nothing. */
function lastDepreciation(asset: Asset, date: string, places: number) {
  const { nextFrom, endsOn, depreciatedTo, partialMonths, netBookValue, residualValue } = asset;
  if (nextFrom === null || endsOn === null) return null;
  const wanted = partialMonths === 'days' || date === endOfMonth(date) ? date : dayBefore(`${date.slice(0, 8)}01`);
  const toDate = earlier(wanted, endsOn);
  if (toDate < nextFrom) return null;
  const left = decimal(netBookValue).minus(residualValue);
  const accumulated = depreciate(toTerms(asset), left, { after: depreciatedTo, to: toDate }, places);
  return { fromDate: nextFrom, toDate, accumulated };
}

/** The lines of the entry. @param last depreciation that is still entered, of the whole */
async function disposalLines(
  trx: Db,
  asset: Asset,
  last: Decimal,
  { cost, accumulated, impairment }: DisposedValues,
  { accountId, amount }: Proceeds,
): Promise<EntryLine[]> {
  const { costCenterId, projectId } = asset;
  const result = decimal(amount).plus(accumulated).plus(impairment).minus(cost);
  const members = [
    'assetAccountId' as const,
    ...(decimal(last).eq(0) ? [] : (['expenseAccountId'] as const)),
    ...(decimal(accumulated).eq(0) && decimal(last).eq(0) ? [] : (['accumulatedAccountId'] as const)),
    ...(decimal(impairment).eq(0) ? [] : (['impairmentAccountId'] as const)),
    ...(result.gt(0) ? (['gainAccountId'] as const) : []),
    ...(result.lt(0) ? (['lossAccountId'] as const) : []),
  ];
  const others = accountId === null ? [] : [accountId];
  const { accounts, book } = await groupAccounts(trx, await loadGroup(trx, asset), members, others);
  const dimensions = { costCenterId, projectId };
  const line = (side: 'debit' | 'credit', account: string, value: Decimal): EntryLine[] =>
    decimal(value).eq(0) ? [] : [entryLine(side, account, value, dimensions)];
  return book.completed([
    ...line('debit', accounts.expenseAccountId, last),
    ...line('credit', accounts.accumulatedAccountId, last),
    ...line('debit', accounts.accumulatedAccountId, accumulated),
    ...line('debit', accounts.impairmentAccountId, impairment),
    ...line('debit', accountId ?? '', amount),
    ...line('debit', accounts.lossAccountId, result.lt(0) ? result.neg().toFixed() : '0'),
    ...line('credit', accounts.gainAccountId, result.gt(0) ? result.toFixed() : '0'),
    ...line('credit', accounts.assetAccountId, cost),
  ]);
}
