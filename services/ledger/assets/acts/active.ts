/** The asset that something is done with, and its group with usable accounts. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Asset, AssetGroup } from '../../../../db/models/ledger/assets.ts';
import { assertVersion } from '../../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../../domain/errors.ts';
import type { GroupAccount } from '../../../../domain/ledger/assets/official.ts';
import type { Area } from '../../../../domain/ledger/periods/areas.ts';
import { AccountBook } from '../../accounting/account-book.ts';
import { openDay } from '../../accounting/open-day.ts';
import type { EntryDay } from '../../accounting/write-entry.ts';
import { lockAssets } from '../register/lock.ts';

/** @throws ServiceError not_found, stale_version; invalid_transition when it is disposed of */
export async function lockActive(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<Asset> {
  await lockAssets(trx, ctx);
  const asset = (await Asset.query(trx).findById(id).forUpdate()) as Asset | undefined;
  if (asset === undefined) throw notFound('This asset');
  assertVersion(asset, ifMatch);
  if (asset.status !== 'disposed') return asset;
  throw new ServiceError('invalid_transition', `${asset.code} cannot be changed because it is disposed of`);
}

export async function loadGroup(trx: Db, { groupId }: Pick<Asset, 'groupId'>): Promise<AssetGroup> {
  return (await AssetGroup.query(trx).findById(groupId)) as AssetGroup;
}

/**
 * Ids of a group's accounts, locked, and the book of them, which completes lines.
 * @param others accounts of further lines, which are checked already
 * @throws ServiceError validation_failed for one that is missing or cannot be used
 */
export async function groupAccounts<Member extends GroupAccount | 'assetAccountId'>(
  trx: Db,
  group: AssetGroup,
  members: readonly Member[],
  others: readonly string[] = [],
): Promise<{ readonly accounts: Record<Member, string>; readonly book: AccountBook }> {
  const named = members.map((member) => [member, group[member]] as const);
  const book = await AccountBook.loadLocked(trx, {
    roles: [],
    accounts: [...others, ...named.flatMap(([, id]) => id ?? [])],
  });
  for (const [member, id] of named) {
    if (id === null)
      book.faults.add('', 'no_account', `needs ${member} of the asset group ${group.code}: set it there first`);
    else book.use(id, `in the asset group ${group.code}`);
  }
  book.faults.throwIfAny();
  return { accounts: Object.fromEntries(named) as Record<Member, string>, book };
}

/**
 * The day of an act, in an open period, on which nothing of the asset is depreciated yet.
 * @throws ServiceError validation_failed, period_closed
 */
export async function actDay(
  trx: Db,
  ctx: Context,
  asset: Asset,
  date: string,
  area: Area = 'general',
): Promise<EntryDay> {
  const { acquiredOn, depreciatedTo } = asset;
  if (date < acquiredOn) throw invalidMember('/date', 'out_of_range', `must not be before acquiredOn, ${acquiredOn}`);
  if (depreciatedTo !== null && date < depreciatedTo) {
    const message = `must not be before ${depreciatedTo}, up to which it is depreciated; undo the run first`;
    throw invalidMember('/date', 'out_of_range', message);
  }
  return await openDay(trx, ctx, area, date, date, '/date');
}
