/** One line of a new document: what it leaves out comes from its base line, else from the price list or the item. */
import { openQuantity } from '../../domain/documents/progress.ts';
import type { DocumentKind, DocumentTypeInfo } from '../../domain/documents/types.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { chargedRates, type VatRegime } from '../../domain/documents/vat.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal, decimalPlaces } from '../../domain/money.ts';
import type { Faults } from './faults.ts';
import type { DocumentLineInput } from './input.ts';
import { linePrice } from './line-price.ts';
import type { PreparedLine } from './prepared.ts';
import type { BaseDocument, BaseLine, ItemReference, References } from './references.ts';
import { resolveTax } from './resolve-tax.ts';

export interface LineToResolve {
  readonly type: DocumentTypeInfo;
  readonly line: DocumentLineInput;
  /** Where the line stands in the body, for example /lines/3 */
  readonly pointer: string;
  readonly references: References;
  /** The header's. */
  readonly warehouseId: string | null;
  readonly vatRegime: string;
  readonly bases: BaseLines;
  readonly faults: Faults;
}

/** @returns the line without id, number and amount; null when it has faults, which are added to `faults` */
export function resolveLine(context: LineToResolve): Omit<PreparedLine, 'id' | 'lineNumber' | 'amount'> | null {
  const { type, line, pointer, references, faults } = context;
  const before = faults.list.length;
  const base = resolveBase(context);
  const item = resolveItem(context, base);
  // What an unknown base or item leaves open is not missing besides.
  const known = faults.list.length === before;
  const tax = resolveTax(context, base, item, known);
  const warehouseId = resolveLineWarehouse(context, base);
  if (decimalPlaces(line.quantity) > references.quantityPrecision) {
    faults.add(`${pointer}/quantity`, 'too_many_decimals', `has more than ${references.quantityPrecision} decimals`);
  }
  const description = line.description ?? base?.description ?? item?.name;
  if (description === undefined && known) faults.add(`${pointer}/itemId`, 'required', 'give an item or a description');
  if (item?.stockTracked && warehouseId === null) {
    faults.add(`${pointer}/warehouseId`, 'required', 'there is no active default warehouse: name one');
  }
  if (faults.list.length > before || !tax || description === undefined) return null;
  const vatRegime = (line.vatRegime ?? context.vatRegime) as VatRegime;
  const rates = chargedRates(tax, vatRegime, type.side);
  return {
    itemId: item?.id ?? null,
    description,
    quantity: decimal(line.quantity).toFixed(),
    ...linePrice({ side: type.side, line, base, item, tax, vatRegime, priceList: references.priceList }),
    taxGroupId: tax.id,
    taxCode: tax.code,
    taxRate: decimal(rates.rate).toFixed(),
    surchargeRate: decimal(rates.surchargeRate).toFixed(),
    warehouseId: item?.stockTracked ? warehouseId : null,
    uomId: base?.uomId ?? item?.uomId ?? null,
    uomFactor: base?.uomFactor ?? '1',
    baseType: base === null ? null : (references.bases.get(base.documentId)?.docType ?? null),
    baseId: base?.documentId ?? null,
    baseLineId: base?.id ?? null,
    pluginData: line.pluginData ?? null,
    stockTracked: item?.stockTracked ?? false,
  };
}

/** The lines that a document's bases still have open, as its own lines use them up one after another. */
export class BaseLines {
  readonly #kind: DocumentKind;
  readonly #references: References;
  readonly #taken = new Map<string, Decimal>();
  readonly #queues = new Map<string, LineQueue>();

  constructor(kind: DocumentKind, references: References) {
    this.#kind = kind;
    this.#references = references;
  }

  /** The line named, or else the first of the base with that item that is still open; undefined when there is none. */
  find(base: BaseDocument, line: DocumentLineInput): BaseLine | undefined {
    const queue = this.#queue(base);
    if (line.baseLineId !== undefined) return queue.byId.get(line.baseLineId);
    const candidates = line.itemId === undefined ? queue.all : queue.byItem.get(line.itemId);
    if (!candidates) return undefined;
    // What is used up stays used up: the cursor only moves on, so that long documents are walked once.
    while (
      candidates.next < candidates.lines.length - 1 &&
      this.#open(base, candidates.lines[candidates.next]).lte(0)
    ) {
      candidates.next++;
    }
    return candidates.lines[candidates.next];
  }

  /** Takes a quantity of a base line. @throws ServiceError over_delivery, over_invoicing */
  take(base: BaseDocument, baseLine: BaseLine, quantity: Decimal, pointer: string): void {
    const open = this.#open(base, baseLine);
    if (decimal(quantity).gt(open) && !this.#references.allowOverDelivery) {
      throw overTaken(this.#kind, pointer, { code: base.code, lineNumber: baseLine.lineNumber, open: open.toFixed() });
    }
    this.#taken.set(
      baseLine.id,
      decimal(this.#taken.get(baseLine.id) ?? 0)
        .plus(quantity)
        .toFixed(),
    );
  }

  #open(base: BaseDocument, line: BaseLine | undefined): ReturnType<typeof decimal> {
    if (!line) return decimal(0);
    return decimal(openQuantity(DOCUMENT_TYPES[base.docType].kind, line)).minus(this.#taken.get(line.id) ?? 0);
  }

  #queue(base: BaseDocument): LineQueue {
    const known = this.#queues.get(base.id);
    if (known) return known;
    const queue: LineQueue = { byId: new Map(), byItem: new Map(), all: { lines: base.lines, next: 0 } };
    for (const line of base.lines) {
      queue.byId.set(line.id, line);
      if (line.itemId === null) continue;
      const sameItem = queue.byItem.get(line.itemId) ?? { lines: [] as BaseLine[], next: 0 };
      (sameItem.lines as BaseLine[]).push(line);
      queue.byItem.set(line.itemId, sameItem);
    }
    this.#queues.set(base.id, queue);
    return queue;
  }
}

interface Candidates {
  readonly lines: readonly BaseLine[];
  next: number;
}

interface LineQueue {
  readonly byId: Map<string, BaseLine>;
  readonly byItem: Map<string, Candidates>;
  readonly all: Candidates;
}

/** The 409 for taking more than a base line has open. `kind` is that of the document that takes. */
export function overTaken(
  kind: DocumentKind,
  pointer: string,
  base: { readonly code: string | null; readonly lineNumber: number; readonly open: Decimal },
): ServiceError {
  const code = kind === 'invoice' ? 'over_invoicing' : 'over_delivery';
  return new ServiceError(code, `Line ${base.lineNumber} of ${base.code} has only ${base.open} open`, {
    errors: [{ pointer, code, message: `only ${base.open} is open` }],
  });
}

function resolveBase({ line, pointer, references, bases, faults }: LineToResolve): BaseLine | null {
  const base = line.baseId === undefined ? undefined : references.bases.get(line.baseId);
  if (!base) return null;
  const baseLine = bases.find(base, line);
  if (!baseLine) {
    if (line.baseLineId !== undefined)
      faults.add(`${pointer}/baseLineId`, 'invalid_reference', `is no line of ${base.code}`);
    else faults.add(`${pointer}/itemId`, 'invalid_reference', `${base.code} has no line with this item`);
    return null;
  }
  if (line.itemId !== undefined && line.itemId !== baseLine.itemId) {
    faults.add(`${pointer}/itemId`, 'wrong_item', 'differs from the item of the base line');
    return null;
  }
  bases.take(base, baseLine, decimal(line.quantity).toFixed(), `${pointer}/quantity`);
  return baseLine;
}

function resolveItem(
  { line, pointer, references, faults }: LineToResolve,
  base: BaseLine | null,
): ItemReference | undefined {
  const itemId = line.itemId ?? base?.itemId ?? undefined;
  if (itemId === undefined) return undefined;
  const item = references.items.get(itemId);
  if (!item) faults.add(`${pointer}/itemId`, 'invalid_reference', 'refers to an item that does not exist');
  // What was ordered while the item was active may still be delivered and invoiced.
  else if (!item.active && base === null)
    faults.add(`${pointer}/itemId`, 'invalid_reference', 'refers to an inactive item');
  return item;
}

function resolveLineWarehouse(
  { line, pointer, references, warehouseId, faults }: LineToResolve,
  base: BaseLine | null,
): string | null {
  if (line.warehouseId === undefined) return base?.warehouseId ?? warehouseId;
  const warehouse = references.warehouses.get(line.warehouseId);
  if (!warehouse)
    faults.add(`${pointer}/warehouseId`, 'invalid_reference', 'refers to a warehouse that does not exist');
  else if (!warehouse.active && line.warehouseId !== base?.warehouseId)
    faults.add(`${pointer}/warehouseId`, 'invalid_reference', 'refers to an inactive warehouse');
  return line.warehouseId;
}
