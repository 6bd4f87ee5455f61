/** Makes the groups of the official table of depreciation. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { AssetGroup } from '../../../../db/models/ledger/assets.ts';
import { query } from '../../../../db/sql.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import {
  accountsBeside,
  OFFICIAL_GROUPS,
  type OfficialGroup,
  shortestLife,
} from '../../../../domain/ledger/assets/official.ts';
import { decimal } from '../../../../domain/money.ts';
import { SPAIN } from '../../../platform/settings/company.ts';
import { lockAssets } from '../register/lock.ts';

interface GeneratedGroups {
  readonly created: number;
  readonly existing: number;
  /** Groups for which the chart lacks the account of the cost, of the depreciation or of its expense. */
  readonly skipped: readonly { readonly code: string; readonly name: string; readonly account: string }[];
}

/**
 * Makes the groups of the official table that are missing, with accounts of the chart; those that it lacks are left out.
 * @throws ServiceError invalid_transition outside Spain
 */
export async function generateGroups(trx: Db, ctx: Context): Promise<GeneratedGroups> {
  await lockAssets(trx, ctx);
  const [tenant] = await query<{ country: string }>(trx, 'select country from tenants where id = :id::uuid', {
    id: ctx.tenantId,
  });
  if (tenant?.country !== SPAIN)
    throw new ServiceError(
      'invalid_transition',
      'The official table is that of Spain; make the groups of your country',
    );
  const accounts = new Map(
    (
      await query<{ code: string; id: string }>(
        trx,
        'select code, id from accounts where active and not is_heading and code ~ :pattern',
        { pattern: '^(2|67|68|69|77|79)' },
      )
    ).map(({ code, id }) => [code, id]),
  );
  const known = await query<{ code: string }>(trx, 'select code from asset_groups where code = any(:codes::text[])', {
    codes: OFFICIAL_GROUPS.map(({ code }) => code),
  });
  const missing = OFFICIAL_GROUPS.filter(({ code }) => !known.some((group) => group.code === code));
  const rows = missing.map((group) => ({ group, row: groupRow(group, accounts) }));
  const made = rows.flatMap(({ row }) => row ?? []);
  const changes = new Changes(ctx);
  for (const row of made) changes.create(AssetGroup, row);
  await changes.write(trx);
  const skipped = rows.flatMap(({ group: { code, name, account }, row }) =>
    row === null ? [{ code, name, account }] : [],
  );
  return { created: made.length, existing: known.length, skipped };
}

function groupRow(group: OfficialGroup, accounts: ReadonlyMap<string, string>): Partial<AssetGroup> | null {
  const { code, name, account, maxPercent, maxYears, linearOnly } = group;
  const found = Object.entries(accountsBeside(account)).map(([member, codes]) => {
    const first = codes.find((each) => accounts.has(each));
    return [member, first === undefined ? null : accounts.get(first)];
  });
  const beside = Object.fromEntries(found) as Partial<AssetGroup>;
  const assetAccountId = accounts.get(account);
  if (assetAccountId === undefined || beside.accumulatedAccountId === null || beside.expenseAccountId === null)
    return null;
  const terms = { method: 'linear' as const, usefulLifeMonths: shortestLife(group), maxYears, linearOnly };
  return { code, name, assetAccountId, ...beside, ...terms, maxPercent: decimal(maxPercent).toFixed(), active: true };
}
