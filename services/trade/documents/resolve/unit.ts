/** Resolves the unit of a line, and its quantity in the item's own unit. */

import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import { OWN_UNIT, type UnitFactor } from '../../../../domain/records/prices/list-prices.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseLine, ItemReference } from './references.ts';

/** Decimals of quantities in the item's own unit. */
const BASE_PLACES = 6;
/** Decimals of a line's `uomFactor`, which is informative; movements use the exact ratio. */
const FACTOR_PLACES = 9;
const GIVEN_SCALE = 10 ** FACTOR_PLACES;

export interface LineUnit {
  readonly uomId: string | null;
  readonly factor: Decimal;
  readonly ratio: UnitFactor;
  readonly baseQuantity: Decimal;
}

interface UnitToResolve {
  readonly line: DocumentLineInput;
  readonly pointer: string;
  readonly faults: Faults;
  readonly item: ItemReference | undefined;
  readonly base: BaseLine | null;
  /** Quantity taken from the base line before. */
  readonly taken: Decimal;
}

/**
 * Resolves the unit: the named one, otherwise that of the base line, otherwise the item's own. A unit unrelated to the
 * item is a fault.
 */
export function resolveUnit(context: UnitToResolve): LineUnit {
  const { line, pointer, faults, item, base } = context;
  const quantity = decimal(line.quantity);
  if (base !== null) {
    if (line.uomId !== undefined && line.uomId !== base.uomId) {
      faults.add(`${pointer}/uomId`, 'wrong_unit', 'differs from the unit of the base line');
    }
    // However the base line is divided, the parts add up to its quantity in the item's own unit.
    const after = partialBaseQuantity(base, quantity.abs().plus(context.taken).toFixed());
    const part = decimal(after).minus(partialBaseQuantity(base, context.taken));
    const baseQuantity = (quantity.lt(0) ? part.neg() : part).toFixed();
    checkNotZero(baseQuantity, context);
    return { uomId: base.uomId, factor: base.uomFactor, ratio: OWN_UNIT, baseQuantity };
  }
  const ratio = resolveRatio(context);
  const factor = unitSize(ratio);
  if (line.uomFactor !== undefined && !decimal(round(line.uomFactor, FACTOR_PLACES)).eq(factor)) {
    faults.add(`${pointer}/uomFactor`, 'wrong_factor', `must be ${factor} for the item's own unit`);
  }
  const baseQuantity = round(quantity.times(ratio.numerator).div(ratio.denominator), BASE_PLACES);
  checkNotZero(baseQuantity, context);
  return { uomId: line.uomId ?? item?.uomId ?? null, factor, ratio, baseQuantity };
}

function unitSize({ numerator, denominator }: UnitFactor): Decimal {
  return round(decimal(numerator).div(denominator), FACTOR_PLACES);
}

function checkNotZero(baseQuantity: Decimal, { line, pointer, faults }: UnitToResolve): void {
  if (decimal(baseQuantity).eq(0) && line.quantity !== 0) {
    faults.add(`${pointer}/quantity`, 'out_of_range', "rounds to zero in the item's own unit");
  }
}

/** A part of a line's quantity in the item's own unit. Parts that add up to the line add up to its base quantity. */
export function partialBaseQuantity(
  line: { readonly quantity: Decimal; readonly baseQuantity: Decimal },
  quantity: number | Decimal,
): Decimal {
  const whole = decimal(line.quantity);
  return round(decimal(quantity).times(line.baseQuantity).div(whole), BASE_PLACES);
}

function resolveRatio({ line, pointer, faults, item }: UnitToResolve): UnitFactor {
  if (line.uomId === undefined || item === undefined || line.uomId === item.uomId) return OWN_UNIT;
  const related = item.units?.find((unit) => unit.uomId === line.uomId);
  const given = line.uomFactor === undefined ? undefined : round(line.uomFactor, FACTOR_PLACES);
  // The given factor wins; if it only repeats the item's, the exact ratio is used.
  if (related !== undefined && (given === undefined || decimal(given).eq(unitSize(related)))) return related;
  if (given !== undefined) return { numerator: decimal(given).times(GIVEN_SCALE).toNumber(), denominator: GIVEN_SCALE };
  faults.add(`${pointer}/uomId`, 'wrong_unit', 'is not a unit of the item; add it there, or give uomFactor');
  return OWN_UNIT;
}
