/** What each document does to stock: orders set goods aside or announce them, notes move them, and so do invoices without a note. */
import { openQuantity } from '../../domain/documents/progress.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { StockChange } from '../stock/move.ts';
import type { BaseDocument, BaseLine } from './references.ts';

/** A line as far as stock is concerned; `warehouseId` is set only where the item's stock is kept. */
export interface StockLine {
  readonly id: string;
  readonly itemId: string | null;
  readonly warehouseId: string | null;
  readonly quantity: Decimal;
  readonly baseType: string | null;
  readonly baseId: string | null;
  readonly baseLineId: string | null;
}

interface Place {
  readonly itemId: string;
  readonly warehouseId: string;
}

/** The lines that move goods: all of a note, those of an invoice that no note has moved before; never an order's. */
export function movingLines<L extends StockLine>(docType: DocType, lines: readonly L[]): (L & Place)[] {
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order') return [];
  const moving =
    kind === 'delivery_note' ? lines : lines.filter((line) => line.baseType !== 'SDN' && line.baseType !== 'PDN');
  return moving.filter((line): line is L & Place => line.itemId !== null && line.warehouseId !== null);
}

/** Signed quantities of the movements: goods leave on sales and come in on purchases; `undo` turns them round. */
export function movedQuantities<L extends StockLine & Place>(
  docType: DocType,
  lines: readonly L[],
  undo: boolean,
): (L & Place)[] {
  const sign = DOCUMENT_TYPES[docType].direction * (undo ? -1 : 1);
  return lines.map((line) => ({ ...line, quantity: decimal(line.quantity).times(sign).toFixed() }));
}

/** Changes on hand for moved lines. */
export function onHandChanges(lines: readonly (StockLine & Place)[], pointers: boolean): StockChange[] {
  return lines.map((line, index) => ({
    itemId: line.itemId,
    warehouseId: line.warehouseId,
    onHand: line.quantity,
    reserved: '0',
    incoming: '0',
    ...(pointers ? { pointer: `/lines/${index}/quantity` } : {}),
  }));
}

/** What an order sets aside (sales) or announces (purchases); with `undo` what it gives up again. */
export function orderChanges(docType: DocType, lines: readonly StockLine[], undo: boolean): StockChange[] {
  return lines
    .filter((line): line is StockLine & Place => line.itemId !== null && line.warehouseId !== null)
    .map((line) => commitment(docType, line, undo ? decimal(line.quantity).neg().toFixed() : line.quantity));
}

/**
 * How the commitments of orders shrink when lines take from them, or grow again when these give back.
 * @param lines that are based on orders; quantities are what they take (negative: give back)
 */
export function orderReleases(
  lines: readonly { readonly baseId: string | null; readonly baseLineId: string | null; readonly quantity: Decimal }[],
  bases: ReadonlyMap<string, Pick<BaseDocument, 'docType' | 'lines'>>,
): StockChange[] {
  const releases: StockChange[] = [];
  const taken = new Map<string, Decimal>();
  const baseLines = new Map<string, BaseLine>();
  for (const base of bases.values()) for (const line of base.lines) baseLines.set(line.id, line);
  for (const line of lines) {
    const base = line.baseId === null ? undefined : bases.get(line.baseId);
    if (!base || DOCUMENT_TYPES[base.docType].kind !== 'order') continue;
    const baseLine = baseLines.get(line.baseLineId ?? '');
    if (!baseLine?.itemId || !baseLine.warehouseId) continue;
    const before = taken.get(baseLine.id) ?? '0';
    const after = decimal(before).plus(line.quantity).toFixed();
    taken.set(baseLine.id, after);
    const change = decimal(openAfter(baseLine, after)).minus(openAfter(baseLine, before));
    releases.push(
      commitment(base.docType, { itemId: baseLine.itemId, warehouseId: baseLine.warehouseId }, change.toFixed()),
    );
  }
  return releases;
}

function openAfter(line: BaseLine, taken: Decimal): Decimal {
  return openQuantity('order', { ...line, deliveredQuantity: decimal(line.deliveredQuantity).plus(taken).toFixed() });
}

function commitment(docType: DocType, place: Place, quantity: Decimal): StockChange {
  const sales = DOCUMENT_TYPES[docType].side === 'sales';
  return {
    itemId: place.itemId,
    warehouseId: place.warehouseId,
    onHand: '0',
    reserved: sales ? quantity : '0',
    incoming: sales ? '0' : quantity,
  };
}
