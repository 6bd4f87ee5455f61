/** Disposals: depreciation up to the day, cost and depreciation out of the books, and the result (PGC, valuation rule 2, section 3). */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetMovement } from '../../../../db/models/ledger/assets.ts';
import { dayBefore, endOfMonth } from '../../../../domain/days.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import { depreciate } from '../../../../domain/ledger/assets/depreciation.ts';
import { earlier } from '../../../../domain/ledger/assets/life.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { numberEntries } from '../../accounting/numbers.ts';
import { addEntry } from '../../accounting/write-entry.ts';
import { movement } from '../register/acquisition.ts';
import { toTerms } from '../register/prepare.ts';
import { actDay, groupAccounts, loadGroup, lockActive } from './active.ts';
import { findProceeds, type Proceeds } from './proceeds.ts';
import type { DisposalInput } from './schemas.ts';

/** @throws ServiceError not_found, stale_version, invalid_transition, period_closed; validation_failed with a pointer for each fault */
export async function disposeOfAsset(
  trx: Db,
  ctx: Context,
  id: string,
  input: DisposalInput,
  ifMatch: number | null,
): Promise<void> {
  const asset = await lockActive(trx, ctx, id, ifMatch);
  const on = await actDay(trx, ctx, asset, input.date);
  const sale = await findProceeds(trx, input);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const last = lastDepreciation(asset, on.date, places);
  const { lines, accumulated } = await disposalLines(trx, asset, last?.accumulated ?? '0', sale);
  const changes = new Changes(ctx);
  const text = `Baja ${asset.code} ${asset.name}`;
  const entryId = addEntry(changes, { ...on, description: text, sourceType: 'asset', sourceId: id, lines });
  const given = { assetId: id, date: on.date, entryId };
  const out = {
    cost: negative(asset.cost),
    accumulated: negative(accumulated),
    impairment: negative(asset.impairment),
  };
  const { documentLineId, amount: proceeds } = sale;
  const { description = null } = input;
  changes.insert(AssetMovement, [
    ...(last === null ? [] : [movement(ctx, { ...given, kind: 'depreciation', ...last })]),
    movement(ctx, { ...given, kind: 'disposal', ...out, documentLineId, proceeds, description }),
  ]);
  changes.change(Asset, asset, {
    ...{ status: 'disposed', disposedOn: on.date, cost: '0', accumulated: '0', impairment: '0', nextFrom: null },
    depreciatedTo: last?.toDate ?? asset.depreciatedTo,
  });
  await changes.write(trx);
  await numberEntries(trx, ctx);
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

/** The lines of the entry, and the depreciation that goes with the asset. */
async function disposalLines(trx: Db, asset: Asset, last: Decimal, { accountId, amount }: Proceeds) {
  const { cost, impairment, costCenterId, projectId } = asset;
  const accumulated = decimal(asset.accumulated).plus(last).toFixed();
  const result = decimal(amount).plus(accumulated).plus(impairment).minus(cost);
  const accounts = await groupAccounts(trx, await loadGroup(trx, asset), [
    'assetAccountId',
    ...(decimal(last).eq(0) ? [] : (['expenseAccountId'] as const)),
    ...(decimal(accumulated).eq(0) ? [] : (['accumulatedAccountId'] as const)),
    ...(decimal(impairment).eq(0) ? [] : (['impairmentAccountId'] as const)),
    ...(result.gt(0) ? (['gainAccountId'] as const) : []),
    ...(result.lt(0) ? (['lossAccountId'] as const) : []),
  ]);
  const dimensions = { costCenterId, projectId };
  const line = (side: 'debit' | 'credit', account: string, value: Decimal): EntryLine[] =>
    decimal(value).eq(0) ? [] : [entryLine(side, account, value, dimensions)];
  const lines = [
    ...line('debit', accounts.expenseAccountId, last),
    ...line('credit', accounts.accumulatedAccountId, last),
    ...line('debit', accounts.accumulatedAccountId, accumulated),
    ...line('debit', accounts.impairmentAccountId, impairment),
    ...line('debit', accountId ?? '', amount),
    ...line('debit', accounts.lossAccountId, result.lt(0) ? result.neg().toFixed() : '0'),
    ...line('credit', accounts.gainAccountId, result.gt(0) ? result.toFixed() : '0'),
    ...line('credit', accounts.assetAccountId, cost),
  ];
  return { lines, accumulated };
}

function negative(amount: Decimal): Decimal {
  return decimal(amount).neg().toFixed();
}
