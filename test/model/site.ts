/** Data that all sequences share in a company: two warehouses with zones, and two taxes. */
import { Tax, Warehouse, Zone } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import type { TestCompany } from '../helpers/company.ts';

/** Places for goods: those of the first, default warehouse, then those of the second. */
export const SPOTS = [
  { warehouse: 0, zone: null },
  { warehouse: 0, zone: 'Z1' },
  { warehouse: 0, zone: 'Z2' },
  { warehouse: 1, zone: null },
  { warehouse: 1, zone: 'Z3' },
] as const;

export interface Site {
  readonly warehouses: readonly string[];
  /** Ids by code. */
  readonly zones: Readonly<Record<string, string>>;
  /** Ids of the taxes of the items. */
  readonly taxes: readonly string[];
  zoneCode(zoneId: string | null): string | undefined;
}

export async function openSite({ ctx, run, warehouseId }: TestCompany): Promise<Site> {
  return await run(async (trx) => {
    const second = await insertRow(trx, ctx, Warehouse, { code: 'W2', name: 'Second', isDefault: false });
    const warehouses = [warehouseId, second.id];
    const zones: Record<string, string> = {};
    for (const { warehouse, zone } of SPOTS) {
      if (zone === null) continue;
      zones[zone] = (await insertRow(trx, ctx, Zone, { warehouseId: warehouses[warehouse] as string, code: zone })).id;
    }
    const taxes = await Promise.all(
      ['IVA21', 'IVA10'].map(async (code) => (await Tax.query(trx).findOne({ code }).throwIfNotFound()).id),
    );
    const codes = new Map(Object.entries(zones).map(([code, id]) => [id, code]));
    return { warehouses, zones, taxes, zoneCode: (zoneId) => codes.get(zoneId ?? '') };
  });
}
