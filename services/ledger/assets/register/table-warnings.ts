import type { Db } from '../../../../db/database.ts';
import { type Asset, AssetGroup } from '../../../../db/models/ledger/assets.ts';
import type { FieldError } from '../../../../domain/errors.ts';
import { decimal } from '../../../../domain/money.ts';

/** Warns of a depreciation beyond the official table, which the books may have and the tax return adjusts (LIS, article 12). */
export async function tableWarnings({ trx }: { readonly trx: Db }, asset: Asset): Promise<readonly FieldError[]> {
  const { method, usefulLifeMonths: months } = asset;
  if (method === 'none' || months === null) return [];
  const group = (await AssetGroup.query(trx).findById(asset.groupId)) as AssetGroup;
  const { maxPercent, maxYears, linearOnly } = group;
  const warn = (pointer: string, message: string): FieldError => ({ pointer, code: 'beyond_table', message });
  return [
    ...(maxPercent !== null && decimal(1200).div(months).round(4).gt(maxPercent)
      ? [warn('/usefulLifeMonths', `is shorter than the official table allows: at most ${Number(maxPercent)} % a year`)]
      : []),
    ...(maxYears !== null && months > maxYears * 12
      ? [warn('/usefulLifeMonths', `is longer than the official table allows: at most ${maxYears} years`)]
      : []),
    ...(linearOnly && method !== 'linear'
      ? [warn('/method', 'is not allowed for tax: these assets are depreciated linearly (RIS, articles 5 and 6)')]
      : []),
  ];
}
