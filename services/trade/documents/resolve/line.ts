/**
 * Resolves a line of a new document: missing values come from its base line, otherwise from the price list or the item.
 */

import type { Faults } from '../../../../domain/faults.ts';
import type { Dimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import type { DeductionRegime } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import { periodFault } from '../../../../domain/ledger/deferrals/spread.ts';
import { type Decimal, decimal, decimalPlaces, optionalDecimal } from '../../../../domain/money.ts';
import { type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { type DocumentTypeInfo, movesGoods } from '../../../../domain/trade/documents/types.ts';
import { chargedRates, type VatRegime, type VatUse } from '../../../../domain/trade/documents/vat.ts';
import type { KitComponent } from '../../../../domain/trade/stock/kits.ts';
import type { PreparedLine } from '../prepared.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseLines } from './base-lines.ts';
import { checkSign } from './corrected.ts';
import { checkTakenOver, correctingDimensions, lineDimensions } from './dimensions.ts';
import { NO_SHARES, sharesOfBase } from './discount.ts';
import { checkAssignments, resolveBatches, resolveZone } from './line-details.ts';
import { linePrice } from './line-price.ts';
import { resolveMarginCost } from './margin.ts';
import type { BaseLine, ItemReference, References } from './references.ts';
import { checkCompensation } from './regimes.ts';
import { resolveTax } from './tax.ts';
import { type ConsumptionStates, checkTaxOfState } from './union-scheme.ts';
import { resolveUnit } from './unit.ts';

const DEFAULT_VAT_USE = 'current';

export interface LineToResolve {
  readonly type: DocumentTypeInfo;
  readonly step: Step;
  readonly line: DocumentLineInput;
  /** Pointer to the line in the body, e.g. /lines/3 */
  readonly pointer: string;
  readonly references: References;
  /** Warehouse of the head. */
  readonly warehouseId: string | null;
  readonly vatRegime: VatRegime;
  /** The company's deduction regime for purchases. */
  readonly deductionRegime: DeductionRegime | null;
  /** Cost center and project of the head. */
  readonly head: Dimensions;
  /** Salesperson of the head. */
  readonly salespersonId: string | null;
  /** The day whose rates apply. */
  readonly taxDay: string;
  readonly states: ConsumptionStates;
  readonly cashBasis: boolean;
  readonly bases: BaseLines;
  /** Whether a rectifying invoice brings goods back. */
  readonly returnStock: boolean;
  readonly faults: Faults;
}

/** A line before the amounts of the document are computed. */
export type ResolvedLine = Omit<
  PreparedLine,
  'id' | 'lineNumber' | 'amount' | 'lostTax' | 'companyAmount' | 'companyLostTax'
>;

/**
 * Resolves one line.
 * @returns the line without id, number and amounts; null if it has faults, which are added to `faults`
 */
export function resolveLine(context: LineToResolve): ResolvedLine | null {
  const { type, step, line, pointer, references, faults } = context;
  const before = faults.list.length;
  checkSign(line, pointer, step, faults);
  const { base, taken } = resolveBase(context);
  const item = resolveItem(context, base);
  // A missing base or item is the only fault: values that it would have given are not reported as missing too.
  const known = faults.list.length === before;
  const ownRegime = line.vatRegime ?? base?.vatRegime ?? null;
  const vatRegime = ownRegime ?? context.vatRegime;
  const tax = resolveTax({ ...context, vatRegime }, base, item, known);
  const components = resolveComponents(context, base, item);
  const hasStock = item?.stockTracked === true || components !== null;
  const warehouseId = resolveLineWarehouse(context, base);
  const baseType = base === null ? null : (references.bases.get(base.documentId)?.docType ?? null);
  const moves = movesGoods(type.kind) && baseType !== 'SDN' && baseType !== 'PDN' && !takesBack(step);
  const place = {
    type,
    line,
    pointer,
    references,
    faults,
    item,
    warehouseId,
    moves,
    returns: step === 'return' || context.returnStock,
  };
  const zoneId = resolveZone(place);
  const batchDetails = resolveBatches(place);
  const unit = resolveUnit({ line, pointer, faults, item, base, taken });
  checkAssignments(line, pointer, references, faults);
  const asBefore = base !== null && takesBack(step);
  const assigned = { line, head: context.head, base, item, references };
  const dimensions = asBefore ? correctingDimensions(assigned) : lineDimensions(assigned);
  if (base !== null && !asBefore) checkTakenOver(dimensions, pointer, references, faults);
  if (type.side === 'sales' && line.vatUse !== undefined && line.vatUse !== DEFAULT_VAT_USE) {
    faults.add(
      `${pointer}/vatUse`,
      'not_applicable',
      'is allowed only for purchases, where it says how the goods are used',
    );
  }
  const vatUse = line.vatUse ?? base?.vatUse ?? DEFAULT_VAT_USE;
  const deductiblePercent = line.deductiblePercent ?? base?.deductiblePercent ?? null;
  if (line.price !== undefined && line.priceWithTax !== undefined) {
    faults.add(
      `${pointer}/priceWithTax`,
      'not_allowed',
      'cannot be given together with price because one follows from the other',
    );
  }
  checkDeduction(context, vatUse);
  const service = resolveService(context, base, hasStock || vatUse === 'investment');
  if (decimalPlaces(line.quantity) > references.quantityPrecision) {
    faults.add(
      `${pointer}/quantity`,
      'too_many_decimals',
      `must have at most ${references.quantityPrecision} decimals`,
    );
  }
  if (context.returnStock && base === null && hasStock && known) {
    const message = 'is required because goods come back only for a line of the rectified invoice';
    faults.add(`${pointer}/baseLineId`, 'required', message);
  }
  const description = line.description ?? base?.description ?? item?.name;
  if (description === undefined && known) faults.add(`${pointer}/itemId`, 'required', 'give an item or a description');
  if (hasStock && warehouseId === null && !asBefore) {
    faults.add(`${pointer}/warehouseId`, 'required', 'is required because there is no active default warehouse');
  }
  if (faults.list.length > before || !tax || description === undefined) return null;
  checkCompensation(tax, vatRegime, pointer, references, faults);
  if (!asBefore || tax.id !== base.taxGroupId) {
    const charged = { side: type.side, regime: vatRegime, day: context.taxDay, pointer };
    checkTaxOfState(tax, charged, references, faults);
  }
  const { cashBasis } = context;
  const marginCost = resolveMarginCost({ type, line, base, regime: vatRegime, cashBasis, pointer }, references, faults);
  const rates = chargedRates(tax, vatRegime, type.side, {
    // Suppliers charge a retailer the surcharge on goods; lines without an item follow their own regime.
    ownSurcharge: context.deductionRegime === 'surcharge' && (item?.type === 'product' || ownRegime === 'surcharge'),
  });
  const price = linePrice({
    side: type.side,
    line,
    base,
    item,
    tax,
    vatRegime,
    charged: rates,
    unit: unit.ratio,
    pricing: references.pricing,
  });
  return {
    itemId: item?.id ?? null,
    description,
    quantity: decimal(line.quantity).toFixed(),
    ...price,
    ...(base === null ? NO_SHARES : sharesOfBase(price, { line, base, taken }, references.decimalPrecision)),
    taxGroupId: tax.id,
    taxCode: tax.code,
    taxRate: decimal(rates.rate).toFixed(),
    surchargeRate: decimal(rates.surchargeRate).toFixed(),
    warehouseId: hasStock || asBefore ? warehouseId : null,
    zoneId,
    uomId: unit.uomId,
    uomFactor: unit.factor,
    baseQuantity: unit.baseQuantity,
    batchDetails,
    components,
    allowExpired: line.allowExpired ?? false,
    vatRegime: ownRegime,
    vatUse,
    withholdingRate: optionalDecimal(line.withholdingRate ?? base?.withholdingRate),
    deductiblePercent: optionalDecimal(deductiblePercent),
    marginCost,
    accountId: line.accountId ?? base?.accountId ?? null,
    ...dimensions,
    salespersonId: line.salespersonId ?? base?.salespersonId ?? otherSalesperson(context, base),
    commissionPercent: optionalDecimal(line.commissionPercent ?? base?.commissionPercent),
    ...service,
    baseType,
    baseId: base?.documentId ?? null,
    baseLineId: base?.id ?? null,
    pluginData: line.pluginData ?? null,
    stockTracked: item?.stockTracked ?? false,
  };
}

/**
 * The days of the service: those of the line that is taken back, unless given.
 * @param isAsset whether the line buys what is not used up by a service, or sells it
 */
function resolveService({ line, pointer, faults }: LineToResolve, base: BaseLine | null, isAsset: boolean) {
  const { serviceFrom = base?.serviceFrom ?? null, serviceTo = base?.serviceTo ?? null } = line;
  const given = serviceFrom !== null || serviceTo !== null;
  if (given && isAsset) {
    const message = 'is allowed only for services: goods in stock and assets are not spread over months';
    faults.add(`${pointer}/serviceFrom`, 'not_applicable', message);
  } else if (serviceFrom === null || serviceTo === null) {
    if (serviceFrom !== null) faults.add(`${pointer}/serviceTo`, 'required', 'is required with serviceFrom');
    if (serviceTo !== null) faults.add(`${pointer}/serviceFrom`, 'required', 'is required with serviceTo');
  } else {
    const fault = periodFault({ from: serviceFrom, to: serviceTo });
    if (fault !== null) faults.add(`${pointer}/serviceTo`, 'out_of_range', fault);
  }
  return { serviceFrom, serviceTo };
}

function checkDeduction({ type, line, pointer, faults }: LineToResolve, vatUse: VatUse): void {
  const { deductiblePercent } = line;
  if (deductiblePercent === undefined) return;
  const at = `${pointer}/deductiblePercent`;
  if (type.side === 'sales') {
    faults.add(at, 'not_applicable', 'is allowed only for purchases, where VAT is deducted');
  } else if (vatUse === 'none' && deductiblePercent > 0) {
    faults.add(at, 'not_applicable', 'must be 0 or left out because vatUse is none: nothing can be deducted');
  }
}

/** The salesperson of the document that a line is based on, where the head has another one: of several notes, each has its own. */
function otherSalesperson({ references, salespersonId }: LineToResolve, base: BaseLine | null): string | null {
  const before = base === null ? null : (references.bases.get(base.documentId)?.salespersonId ?? null);
  return before === salespersonId ? null : before;
}

const NO_BASE = { base: null, taken: '0' } as const;

function resolveBase({ step, line, pointer, references, bases, faults }: LineToResolve): {
  readonly base: BaseLine | null;
  readonly taken: Decimal;
} {
  const base = line.baseId === undefined ? undefined : references.bases.get(line.baseId);
  if (!base || line.quantity === 0) return NO_BASE;
  const baseLine = bases.find(base, line);
  if (!baseLine) {
    if (line.baseLineId !== undefined)
      faults.add(`${pointer}/baseLineId`, 'invalid_reference', `is not a line of ${base.code}`);
    else faults.add(`${pointer}/itemId`, 'invalid_reference', `${base.code} has no line with this item`);
    return NO_BASE;
  }
  if (line.itemId !== undefined && line.itemId !== baseLine.itemId) {
    faults.add(`${pointer}/itemId`, 'wrong_item', 'differs from the item of the base line');
    return NO_BASE;
  }
  if (takesBack(step) !== line.quantity < 0) return NO_BASE; // The sign decides.
  const quantity = decimal(line.quantity).abs().toFixed();
  return { base: baseLine, taken: bases.take(base, baseLine, quantity, `${pointer}/quantity`) };
}

/** The components of a kit: those of the base line, otherwise the item's; null for all other lines. */
function resolveComponents(
  { type, pointer, faults }: LineToResolve,
  base: BaseLine | null,
  item: ItemReference | undefined,
): readonly KitComponent[] | null {
  if (base !== null) return base.components;
  const components = item?.components ?? null;
  if (components === null) return null;
  const at = `${pointer}/itemId`;
  if (type.side === 'purchase') faults.add(at, 'kit', 'refers to a kit, which is only sold; buy its components');
  else if (components.length === 0)
    faults.add(
      at,
      'no_components',
      'refers to a kit without components; add them with POST /api/items/{id}/components',
    );
  return components;
}

function resolveItem(
  { line, pointer, references, faults }: LineToResolve,
  base: BaseLine | null,
): ItemReference | undefined {
  const itemId = line.itemId ?? base?.itemId ?? undefined;
  if (itemId === undefined) return undefined;
  const item = references.items.get(itemId);
  if (!item) faults.add(`${pointer}/itemId`, 'invalid_reference', 'refers to an item that does not exist');
  // Items that became inactive after they were ordered can still be delivered and invoiced.
  else if (!item.active && base === null)
    faults.add(`${pointer}/itemId`, 'invalid_reference', 'refers to an inactive item');
  return item;
}

function resolveLineWarehouse(
  { step, line, pointer, references, warehouseId, faults }: LineToResolve,
  base: BaseLine | null,
): string | null {
  if (base !== null && takesBack(step)) return base.warehouseId;
  if (line.warehouseId === undefined) return base?.warehouseId ?? warehouseId;
  const warehouse = references.warehouses.get(line.warehouseId);
  if (!warehouse)
    faults.add(`${pointer}/warehouseId`, 'invalid_reference', 'refers to a warehouse that does not exist');
  else if (!warehouse.active && line.warehouseId !== base?.warehouseId)
    faults.add(`${pointer}/warehouseId`, 'invalid_reference', 'refers to an inactive warehouse');
  return line.warehouseId;
}
