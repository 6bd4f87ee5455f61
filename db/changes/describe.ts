/** Describes a change before it is written, in the terms of the business: entries, stock moves, events. */
import { groupBy } from '../../domain/group-by.ts';
import { JournalEntry, JournalLine } from '../models/ledger/accounting.ts';
import type { DeclaredTable } from '../models/table.ts';
import { StockLayer, StockMovement } from '../models/trade/stock.ts';
import type { ChangeDescription, Columns, DescribedRow, HeldPeriod, NumberSource } from './description.ts';
import type { Step } from './follow-up.ts';
import type { Part } from './statement.ts';
import { AuditLog, Outbox } from './trail.ts';

/** Tables whose inserted rows have a place of their own in a description. */
const OWN_PLACE: readonly DeclaredTable[] = [JournalEntry, JournalLine, StockMovement, StockLayer, AuditLog, Outbox];

/** Describes the parts of a change. */
export function describeParts(
  { number, held }: { readonly number: NumberSource | null; readonly held: readonly HeldPeriod[] },
  parts: readonly Part[],
  steps: readonly Step[],
): ChangeDescription {
  const inserted = (table: DeclaredTable): Columns[] =>
    parts.flatMap((part) => (part.action === 'insert' && part.table === table ? part.rows : []));
  const linesByEntry = groupBy(inserted(JournalLine), (line) => String(line.entry_id));
  const heads = new Map(inserted(JournalEntry).map((head) => [String(head.id), head]));
  const layers = new Map(inserted(StockLayer).map((layer) => [layer.id, layer]));
  return {
    number,
    heldPeriods: held,
    entries: [...new Set([...heads.keys(), ...linesByEntry.keys()])].map((id) => ({
      id,
      head: heads.get(id) ?? null,
      lines: linesByEntry.get(id) ?? [],
    })),
    stockMoves: inserted(StockMovement).map((movement) => ({ movement, layer: layers.get(movement.id) ?? null })),
    rows: parts.flatMap(otherRows),
    auditRecords: inserted(AuditLog),
    events: parts.flatMap(({ table, rows, forRules }) => (table === Outbox && forRules !== true ? rows : [])),
    followUps: steps.map(({ name, input }) => ({ name, input })),
  };
}

function otherRows({ action, table, rows }: Part): DescribedRow[] {
  if (action === 'insert' && OWN_PLACE.includes(table)) return [];
  return rows.map((row) => {
    const { id, ...columns } = row;
    const shown = action === 'update' ? (row.set as Columns) : action === 'insert' ? columns : {};
    return { action, table: table.tableName, id: typeof id === 'string' ? id : null, columns: shown };
  });
}
