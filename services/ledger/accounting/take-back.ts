/** Takes back what was done with something whose values are sums of movements: what is undone stays beside its opposite. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { DeclaredTable, Row } from '../../../db/models/table.ts';
import type { VatPeriods } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { areaOfEntry } from './entry-area.ts';
import { openDay } from './open-day.ts';
import { addReversal, type EntryDay, loadPosted } from './write-entry.ts';

interface Movement {
  readonly id: string;
  readonly date: string;
  readonly entryId: string | null;
}

export interface TakenBack<M> {
  /** Day and id of the reversal; null where no entry was made. */
  readonly reversal: (EntryDay & { readonly entryId: string }) | null;
  /** The opposites. */
  readonly back: readonly M[];
}

/**
 * Adds the reversal of an act's entry and the opposites of its movements.
 * @param rows movements of one act, at least one
 * @param amounts members that the opposites have with the other sign
 * @param options.date of the reversal; defaults to the day of the entry
 * @throws ServiceError period_closed, period_locked, validation_failed
 */
export async function takeBack<Table extends DeclaredTable>(
  trx: Db,
  changes: Changes,
  table: Table,
  rows: readonly (Row<Table> & Movement)[],
  amounts: readonly (keyof Row<Table>)[],
  { date, periods }: { readonly date?: string | undefined; readonly periods?: VatPeriods } = {},
): Promise<TakenBack<Row<Table> & Movement>> {
  const entryId = rows[0]?.entryId ?? null;
  const entry = entryId === null ? null : await loadPosted(trx, { id: entryId });
  const on =
    entry &&
    (await openDay(trx, changes.ctx, await areaOfEntry(trx, entry.id), date ?? entry.date, entry.date, '/date'));
  const reversal = entry && on && { ...on, entryId: addReversal(changes, entry, on, periods) };
  const back = rows.map((row) =>
    opposite(changes.ctx, row, amounts, { entryId: reversal?.entryId ?? null, date: on?.date ?? date ?? row.date }),
  );
  changes.insert(table, back);
  changes.update(
    table,
    rows.map((row) => ({ before: row, after: { ...row, standing: false } })),
  );
  return { reversal, back };
}

/** The opposite of a movement. @param amounts members with the other sign */
export function opposite<M extends Movement>(
  { userId, now }: Pick<Context, 'userId' | 'now'>,
  row: M,
  amounts: readonly (keyof M)[],
  on: Pick<Movement, 'entryId' | 'date'>,
): M {
  const values = Object.fromEntries(
    amounts.map((member) => [
      member,
      decimal(row[member] as Decimal)
        .neg()
        .toFixed(),
    ]),
  );
  const made = { id: newId(), createdBy: userId, createdAt: now.toISOString() };
  return { ...row, ...made, ...values, ...on, standing: false, undoesId: row.id };
}
