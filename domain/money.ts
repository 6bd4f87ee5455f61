/**
 * The only place for arithmetic with amounts, prices and quantities: exact decimals, rounded half away from zero. Decimals travel between
 * layers as strings (`Decimal`), since neither JSON nor Temporal has an exact type.
 */
import Big from 'big.js';

/** An exact decimal in plain notation, e.g. "-12.50": text that is known to be a number. */
export type Decimal = `${number}`;
/** Anything that can be read as an exact decimal: a JSON number means the digits it is written with. */
export type DecimalInput = Big | Decimal | number;

/** An exact number during a calculation. */
export interface Exact extends Big {
  plus(value: DecimalInput): Exact;
  minus(value: DecimalInput): Exact;
  times(value: DecimalInput): Exact;
  div(value: DecimalInput): Exact;
  abs(): Exact;
  neg(): Exact;
  /** @param exponent a whole number */
  pow(exponent: number): Exact;
  round(places?: number, mode?: Big.RoundingMode): Exact;
  toFixed(places?: number): Decimal;
}

const Exact = Big();
// Division is the only inexact operation; 40 digits far exceed any stored precision.
Exact.DP = 40;
Exact.RM = Big.roundHalfUp; // big.js: half away from zero

/** Parses an exact decimal. @throws Error for anything else (NaN, Infinity) */
export function decimal(value: DecimalInput): Exact {
  return new Exact(value) as Exact;
}

/** Parses an untrusted text as a decimal. @throws Error if it is not one */
export function parseDecimal(text: string): Exact {
  return decimal(text as Decimal);
}

/** Rounds half away from zero to `places` decimals, in plain notation. */
export function round(value: DecimalInput, places: number): Decimal {
  return decimal(value).round(places, Big.roundHalfUp).toFixed();
}

/** The exact sum; "0" for nothing. */
export function sum(values: Iterable<DecimalInput>): Exact {
  let total = decimal(0);
  for (const value of values) total = total.plus(value);
  return total;
}

/** Whether a decimal is zero, whatever its scale: by its digits alone, since long reports ask of every amount. */
export function isZero(value: Decimal): boolean {
  return ZERO.test(value);
}

const ZERO = /^-?0+(\.0*)?$/;

/** Splits an amount by weights into rounded shares that add up to it; the last one takes the remainder. */
export function distribute(amount: Decimal, weights: readonly Decimal[], places: number): Decimal[] {
  const whole = sum(weights);
  let weight = decimal(0);
  let given = decimal(0);
  return weights.map((part, index) => {
    weight = weight.plus(part);
    const until =
      index === weights.length - 1 || whole.eq(0)
        ? decimal(index === weights.length - 1 ? amount : 0)
        : decimal(round(decimal(amount).times(weight).div(whole), places));
    const share = until.minus(given);
    given = until;
    return share.toFixed();
  });
}

/** Converts a stored decimal to a JSON number. Stored decimals have at most 15 significant digits, so nothing is lost. */
export function toNumber(value: DecimalInput): number {
  const number = Number(value);
  if (Number.isNaN(number)) throw new TypeError(`${String(value)} is no number`);
  return number;
}

/** The same for a value that may be missing. */
export function optionalNumber(value: DecimalInput | null): number | null {
  return value === null ? null : toNumber(value);
}

/** The plain notation of a number that may be missing. */
export function optionalDecimal(value: DecimalInput | null | undefined): Decimal | null {
  return value === null || value === undefined ? null : decimal(value).toFixed();
}

/** Rounds half away from zero and converts to a JSON number. Most stored decimals need no rounding. */
export function roundedNumber(value: Decimal, places: number): number {
  const point = value.indexOf('.');
  const isExact = point < 0 || ZEROS.test(value.slice(point + 1 + places));
  return toNumber(isExact ? value : round(value, places));
}

const ZEROS = /^0*$/;

/** The number of decimals, without trailing zeros. */
export function decimalPlaces(value: DecimalInput): number {
  const text = decimal(value).toFixed();
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Maximum difference between the sum of a few binary numbers and the intended decimal. */
const BINARY_TOLERANCE = '0.000000001';

/**
 * The intended number with at most `places` decimals, for clients that calculate in binary: 0.30000000000000004 is 0.3.
 * @returns null when it has more decimals
 */
export function roundIfClose(value: number, places: number): number | null {
  const meant = round(value, places);
  return decimal(value).minus(meant).abs().lte(BINARY_TOLERANCE) ? toNumber(meant) : null;
}
