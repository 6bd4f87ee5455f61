/** The effect of each document on stock: orders reserve or announce goods; notes move them, and so do invoices without a note. */

import type { BatchDetail } from '../../../../db/models/trade/documents.ts';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import { openQuantity } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { componentQuantity, goodsOnLines, type KitComponent } from '../../../../domain/trade/stock/kits.ts';
import type { Commitment } from '../../../../domain/trade/stock/levels.ts';
import { GENERAL_PLACE, type Move, type Movement } from '../../../../domain/trade/stock/movement.ts';
import type { BaseLine } from '../../documents/resolve/references.ts';
import { partialBaseQuantity } from '../../documents/resolve/unit.ts';
import { type BatchIds, batchKey, type NamedBatch } from '../../stock/batches.ts';
import type { Receipt } from '../../stock/first-batches.ts';

/** The parts of a line that concern stock; `warehouseId` is set only if the item has stock. */
export interface StockLine {
  readonly id: string;
  readonly itemId: string | null;
  readonly warehouseId: string | null;
  readonly zoneId: string | null;
  readonly quantity: Decimal;
  /** In the item's own unit. */
  readonly baseQuantity: Decimal;
  readonly amount: Decimal;
  /** Purchases: tax on the line that cannot be deducted. */
  readonly lostTax: Decimal;
  /** The same in the company's currency; null if that is the document's. */
  readonly companyAmount: Decimal | null;
  readonly companyLostTax: Decimal | null;
  readonly batchDetails: readonly BatchDetail[] | null;
  /** Components of a kit; null for all other lines. */
  readonly components: readonly KitComponent[] | null;
  readonly allowExpired: boolean;
  readonly baseType: string | null;
  readonly baseId: string | null;
  readonly baseLineId: string | null;
}

/** An order line with its commitments. */
type OrderLine = Pick<
  BaseLine,
  | 'id'
  | 'itemId'
  | 'warehouseId'
  | 'quantity'
  | 'baseQuantity'
  | 'components'
  | 'deliveredQuantity'
  | 'invoicedQuantity'
  | 'closedQuantity'
  | 'returnedQuantity'
>;

/** The parts of an order that concern its commitments. */
export interface OrderLines {
  readonly docType: DocType;
  readonly lines: readonly OrderLine[];
}

export interface Place {
  readonly itemId: string;
  readonly warehouseId: string;
}

type Indexed<L> = { readonly line: L & Place; readonly index: number };

/** Decimals of stock quantities. */
const PLACES = 6;
/** Decimals of unit costs. */
const COST_PLACES = 12;

/** The lines that move goods: all of a note, those of an invoice without a note; never an order's. */
export function movingLines<L extends StockLine>(docType: DocType, lines: readonly L[]): Indexed<L>[] {
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order') return [];
  return goodsOnLines(lines).flatMap((line) => {
    const byNote = kind === 'invoice' && (line.baseType === 'SDN' || line.baseType === 'PDN');
    const { index, itemId, warehouseId } = line;
    return byNote || itemId === null || warehouseId === null ? [] : [{ line: { ...line, itemId, warehouseId }, index }];
  });
}

/** The goods received by the lines. */
export function goodsReceipts(docType: DocType, lines: readonly Indexed<StockLine>[]): Receipt[] {
  if (DOCUMENT_TYPES[docType].direction < 0) return [];
  return lines.map(({ line, index }) => {
    return { itemId: line.itemId, inBatches: line.batchDetails !== null, pointer: `/lines/${index}` };
  });
}

/** The batches received by the lines. */
export function incomingBatches(docType: DocType, lines: readonly Indexed<StockLine>[]): NamedBatch[] {
  if (DOCUMENT_TYPES[docType].direction < 0) return [];
  return lines.flatMap(({ line, index }) =>
    (line.batchDetails ?? []).map(({ batchNum, expiryDate }, entry) => ({
      itemId: line.itemId,
      batchNum,
      expiryDate: expiryDate ?? null,
      pointer: `/lines/${index}/batchDetails/${entry}`,
    })),
  );
}

/** The cost of the goods of a purchase line in the company's currency, including the tax that is not deducted (PGC, valuation rule 10). */
export function lineCost(line: Pick<StockLine, 'amount' | 'lostTax' | 'companyAmount' | 'companyLostTax'>): Decimal {
  const { companyAmount, companyLostTax } = line;
  return decimal(companyAmount ?? line.amount)
    .plus(companyLostTax ?? line.lostTax)
    .toFixed();
}

/** The moves of the lines: out on sales, in on purchases at the line's cost. */
export function lineMoves(docType: DocType, lines: readonly Indexed<StockLine>[], batches: BatchIds): Move[] {
  const { direction } = DOCUMENT_TYPES[docType];
  return lines.flatMap(({ line, index }): Move[] => {
    const { itemId, warehouseId, zoneId, allowExpired } = line;
    const place = { itemId, warehouseId, zoneId, lineId: line.id, pointer: `/lines/${index}/quantity` };
    const details = inBaseUnit(line);
    if (direction < 0) {
      const quantity = decimal(line.baseQuantity).neg().toFixed();
      return [{ ...GENERAL_PLACE, ...place, quantity, batches: details, allowExpired }];
    }
    const unitCost = decimal(line.baseQuantity).eq(0)
      ? '0'
      : round(decimal(lineCost(line)).div(line.baseQuantity), COST_PLACES);
    if (details.length === 0) return [{ ...GENERAL_PLACE, ...place, quantity: line.baseQuantity, unitCost }];
    return details.map(({ batchNum, quantity }) => {
      const batchId = batches.get(batchKey({ itemId, batchNum })) ?? null;
      return { ...GENERAL_PLACE, ...place, quantity, batchId, unitCost };
    });
  });
}

/** The lines with the batches picked for them, if they named none; the same lines if none were picked. */
export function withPickedBatches<L extends StockLine>(
  lines: readonly L[],
  movements: readonly Movement[],
): readonly L[] {
  if (!movements.some(({ batchNum }) => batchNum !== null)) return lines;
  const byId = new Map(lines.map((line) => [line.id, line]));
  /** The quantities picked of each batch over all its places, by line. */
  const picked = new Map<string, Map<string, Decimal>>();
  for (const { documentLineId, batchNum, quantity } of movements) {
    const line = byId.get(documentLineId ?? '');
    // The components of a kit have batches of several items, which the line cannot name.
    if (documentLineId === null || batchNum === null || line?.batchDetails !== null || line.components !== null)
      continue;
    const batches = picked.get(documentLineId) ?? new Map<string, Decimal>();
    picked.set(documentLineId, batches);
    batches.set(
      batchNum,
      decimal(batches.get(batchNum) ?? 0)
        .plus(quantity)
        .toFixed(),
    );
  }
  if (picked.size === 0) return lines;
  return lines.map((line) => {
    const batches = picked.get(line.id);
    if (batches === undefined) return line;
    const inLineUnit = (moved: Decimal) =>
      round(decimal(moved).times(line.quantity).div(line.baseQuantity).abs(), PLACES);
    const batchDetails = [...batches].map(([batchNum, moved]) => ({ batchNum, quantity: inLineUnit(moved) }));
    return { ...line, batchDetails };
  });
}

/** A line's batches in the item's own unit, adding up to what the line moves. */
export function inBaseUnit(line: StockLine): { batchNum: string; quantity: Decimal }[] {
  let [taken, moved] = [decimal(0), decimal(0)];
  return (line.batchDetails ?? []).map(({ batchNum, quantity }) => {
    taken = taken.plus(quantity);
    const upToHere = decimal(partialBaseQuantity(line, taken.toFixed()));
    const part = upToHere.minus(moved);
    moved = upToHere;
    return { batchNum, quantity: part.toFixed() };
  });
}

/** The quantities that the open lines of an order reserve (sales) or announce (purchases), or release with `undo`. */
export function orderChanges(docType: DocType, lines: readonly OrderLine[], undo: boolean): Commitment[] {
  return lines
    .filter((line): line is OrderLine & Place => line.itemId !== null && line.warehouseId !== null)
    .flatMap((line) => {
      const open = partialBaseQuantity(line, openQuantity('order', line));
      return committedGoods(line, open).map(({ itemId, quantity }) =>
        commitment(docType, { ...line, itemId }, undo ? decimal(quantity).neg().toFixed() : quantity),
      );
    });
}

/**
 * Reduces the commitments of orders by the quantities that lines take, or restores them.
 * @param lines based on orders; a positive quantity is taken, a negative one given back
 */
export function orderReleases(
  lines: readonly { readonly baseId: string | null; readonly baseLineId: string | null; readonly quantity: Decimal }[],
  bases: ReadonlyMap<string, OrderLines>,
): Commitment[] {
  const releases: Commitment[] = [];
  const taken = new Map<string, Decimal>();
  const baseLines = new Map<string, OrderLine>();
  for (const base of bases.values()) for (const line of base.lines) baseLines.set(line.id, line);
  for (const line of lines) {
    const base = line.baseId === null ? undefined : bases.get(line.baseId);
    if (!base || DOCUMENT_TYPES[base.docType].kind !== 'order') continue;
    const baseLine = baseLines.get(line.baseLineId ?? '');
    if (!baseLine?.itemId || !baseLine.warehouseId) continue;
    const before = taken.get(baseLine.id) ?? '0';
    const after = decimal(before).plus(line.quantity).toFixed();
    taken.set(baseLine.id, after);
    // Both sides are rounded like the commitments, so that releases add up to what was reserved.
    const place = { ...baseLine, itemId: baseLine.itemId, warehouseId: baseLine.warehouseId };
    const earlier = committedGoods(place, openAfter(baseLine, before));
    committedGoods(place, openAfter(baseLine, after)).forEach(({ itemId, quantity }, index) => {
      const change = decimal(quantity).minus(earlier[index]?.quantity ?? 0);
      releases.push(commitment(base.docType, { ...place, itemId }, change.toFixed()));
    });
  }
  return releases;
}

/** The goods that an open quantity of an order's line commits: of its item, or of the components of a kit. */
function committedGoods({ itemId, components }: OrderLine & Place, open: Decimal): readonly KitComponent[] {
  if (components === null) return [{ itemId, quantity: open }];
  return components.map((component) => ({ ...component, quantity: componentQuantity(open, component) }));
}

/** The quantity that a base line still commits, in the item's own unit. */
function openAfter(line: OrderLine, taken: Decimal): Decimal {
  const delivered = decimal(line.deliveredQuantity).plus(taken).toFixed();
  return partialBaseQuantity(line, openQuantity('order', { ...line, deliveredQuantity: delivered }));
}

function commitment(docType: DocType, place: Place, quantity: Decimal): Commitment {
  const sales = DOCUMENT_TYPES[docType].side === 'sales';
  return {
    itemId: place.itemId,
    warehouseId: place.warehouseId,
    reserved: sales ? quantity : '0',
    incoming: sales ? '0' : quantity,
  };
}
