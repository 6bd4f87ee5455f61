import { insertMissingRows } from '../../db/bulk-write.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Warehouse, Zone } from '../../db/models/master-data.ts';
import { invalidMember, notFound, ServiceError } from '../../domain/errors.ts';
import {
  type BinCounts,
  binCodes,
  DEFAULT_BIN_PATTERN,
  numberOfBins,
  unknownPlaceholder,
} from '../../domain/warehouses/bins.ts';
import { MAX_ZONE_CODE } from './zones.ts';

/** Bins made by one call at most (decisions, section 4). */
export const MAX_BINS = 10_000;

/**
 * Makes the bins of a warehouse that are not there yet, as zones.
 * @returns how many were made, and how many were there before
 * @throws ServiceError not_found, invalid_transition (the warehouse is inactive), validation_failed
 */
export async function generateBins(
  trx: Db,
  ctx: Context,
  warehouseId: string,
  counts: BinCounts,
  pattern: string = DEFAULT_BIN_PATTERN,
): Promise<{ readonly created: number; readonly existing: number }> {
  const codes = checkedCodes(counts, pattern);
  // One generation after another in a warehouse, and none while it is being set inactive; documents go on.
  const warehouse = (await Warehouse.query(trx).findById(warehouseId).forNoKeyUpdate()) as Warehouse | undefined;
  if (warehouse === undefined) throw notFound('This warehouse');
  if (!warehouse.active) {
    throw new ServiceError('invalid_transition', `Warehouse ${warehouse.code} is inactive; set it active first`);
  }
  const bins = codes.map((code) => ({ warehouseId, code, name: null, type: 'bin', active: true }));
  const created = await insertMissingRows(trx, ctx, Zone, bins, ['warehouseId', 'code']);
  return { created, existing: codes.length - created };
}

function checkedCodes(counts: BinCounts, pattern: string): string[] {
  const unknown = unknownPlaceholder(pattern);
  if (unknown !== undefined) {
    const known = 'it may hold {aisle}, {rack}, {level} and {position}';
    throw invalidMember('/pattern', 'invalid_format', `holds ${unknown}, which means nothing; ${known}`);
  }
  const wanted = numberOfBins(counts);
  if (wanted > MAX_BINS) {
    throw invalidMember('', 'out_of_range', `would be ${wanted} bins; at most ${MAX_BINS} are made at once`);
  }
  const codes = [...new Set(binCodes(counts, pattern))];
  if (codes.length < wanted) {
    throw invalidMember('/pattern', 'invalid_format', `gives ${wanted} bins only ${codes.length} different codes`);
  }
  if (codes.some((code) => code.length > MAX_ZONE_CODE)) {
    throw invalidMember('/pattern', 'too_long', `gives codes of more than ${MAX_ZONE_CODE} characters`);
  }
  return codes;
}
