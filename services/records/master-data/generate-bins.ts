import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Warehouse, Zone } from '../../../db/models/records/master-data.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import {
  type BinCounts,
  binCodes,
  countBins,
  DEFAULT_BIN_PATTERN,
  unknownPlaceholder,
} from '../../../domain/records/master-data/bins.ts';
import { MAX_ZONE_CODE } from './zones.ts';

/** Maximum number of bins per call. */
export const MAX_BINS = 10_000;
/** Bins of a statement: building one of all would keep the process from others. */
const AT_ONCE = 1000;

/**
 * Creates the missing bins of a warehouse, as zones.
 * @returns how many were created, and how many existed
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
  // Serializes with other generations in the warehouse and with its deactivation, without blocking documents.
  const warehouse = (await Warehouse.query(trx).findById(warehouseId).forNoKeyUpdate()) as Warehouse | undefined;
  if (warehouse === undefined) throw notFound('This warehouse');
  if (!warehouse.active) {
    throw new ServiceError(
      'invalid_transition',
      `Bins cannot be generated because warehouse ${warehouse.code} is inactive; activate it first`,
    );
  }
  const bins = codes.map((code) => ({ warehouseId, code, name: null, type: 'bin', active: true }));
  let created = 0;
  for (let from = 0; from < bins.length; from += AT_ONCE) {
    const some = bins.slice(from, from + AT_ONCE);
    const made = await new Changes(ctx).createMissing(Zone, some, ['warehouseId', 'code']).write(trx, Zone);
    created += made.length;
  }
  return { created, existing: codes.length - created };
}

function checkedCodes(counts: BinCounts, pattern: string): string[] {
  const unknown = unknownPlaceholder(pattern);
  if (unknown !== undefined) {
    const known = 'it may contain {aisle}, {rack}, {level} and {position}';
    throw invalidMember('/pattern', 'invalid_format', `contains ${unknown}, which is unknown; ${known}`);
  }
  const wanted = countBins(counts);
  if (wanted > MAX_BINS) {
    throw invalidMember('', 'out_of_range', `would create ${wanted} bins; at most ${MAX_BINS} are allowed at once`);
  }
  const codes = [...new Set(binCodes(counts, pattern))];
  if (codes.length < wanted) {
    throw invalidMember('/pattern', 'invalid_format', `gives ${wanted} bins only ${codes.length} different codes`);
  }
  if (codes.some((code) => code.length > MAX_ZONE_CODE)) {
    throw invalidMember('/pattern', 'too_long', `generates codes of more than ${MAX_ZONE_CODE} characters`);
  }
  return codes;
}
