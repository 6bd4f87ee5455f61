/** The storage of a company, by kind. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { COUNTED_KINDS, STORAGE_KINDS, type StorageKind, storageLimit } from '../../../domain/platform/storage.ts';
import { readStorage } from '../../platform/storage/budget.ts';
import { type Amount, mayMeasureNow, measureCompany, readMeasurement } from './measure.ts';

export interface KindUsage extends Amount {
  readonly kind: StorageKind;
  /** The way to make it less, in words. */
  readonly makes_room: string;
}

export interface Usage {
  /** In bytes; null = no limit. */
  readonly budget: number | null;
  readonly used: number;
  readonly full: boolean;
  readonly measured_at: string | null;
  /** The largest first. */
  readonly kinds: readonly KindUsage[];
}

/** Reads what a company stores; its rows are measured if that is quick and was not done just before. */
export async function readUsage(database: Database, ctx: Context): Promise<Usage> {
  const reader = database.reader(ctx);
  if (mayMeasureNow(await readMeasurement(reader), ctx.now)) await measureCompany(database, ctx);
  return await database.readConsistently(ctx, async (db) => {
    const { budget, used } = await readStorage(db);
    const { parts, measuredAt } = await readMeasurement(db);
    const counted = await query<Amount & { kind: string }>(
      db,
      'select kind, sum(bytes)::bigint as bytes, sum(items)::bigint as items from storage_changes group by kind',
      {},
    );
    const amounts = new Map<StorageKind, Amount>(Object.entries(parts) as [StorageKind, Amount][]);
    for (const { kind, bytes, items } of counted) {
      const shown = COUNTED_KINDS[kind] ?? 'settings';
      const known = amounts.get(shown) ?? { bytes: 0, items: 0 };
      amounts.set(shown, { bytes: known.bytes + bytes, items: known.items + items });
    }
    const kinds = [...amounts]
      .map(([kind, amount]) => ({ kind, ...amount, makes_room: STORAGE_KINDS[kind] }))
      .filter(({ bytes, items }) => bytes !== 0 || items !== 0)
      .sort((one, other) => other.bytes - one.bytes || (one.kind < other.kind ? -1 : 1));
    const full = used >= storageLimit(budget, 'budget');
    return { budget: budget === 0 ? null : budget, used, full, measured_at: measuredAt, kinds };
  });
}
