/** Reads and writes exact numbers in tables. */
import { type Decimal, type DecimalInput, decimal, parseDecimal } from '../../money.ts';
import type { TableConventions } from './conventions.ts';

/** Formats a number with all its digits, without grouping. */
export function writeNumber(value: DecimalInput, { decimalSign }: TableConventions): string {
  return decimal(value).toFixed().replace('.', decimalSign);
}

/** Accepted group separators besides the conventional one: all kinds of blanks, and apostrophes. */
const GROUPS = String.raw` \u00a0\u202f\u2009'’`;

const FORMS = { ',': numberForm(',', String.raw`\.`), '.': numberForm(String.raw`\.`, ',') };

function numberForm(point: string, group: string): RegExp {
  const whole = String.raw`(\d+|\d{1,3}(?<group>[${GROUPS}]|${group})\d{3}(?:\k<group>\d{3})*)`;
  return new RegExp(String.raw`^([+\-−]?)(?:${whole}(?:${point}(\d*))?|${point}(\d+))$`, 'u');
}

/**
 * Parses a number by the conventions; digits may be grouped by threes ("1.234,50" with a decimal comma).
 * @returns the exact decimal; undefined if the text is not such a number
 */
export function readNumber(text: string, { decimalSign }: TableConventions): Decimal | undefined {
  const [, sign, digits = '0', , places, onlyPlaces] = FORMS[decimalSign].exec(text.trim()) ?? [];
  if (sign === undefined) return undefined;
  const plain = `${digits.replaceAll(/\D/g, '')}.${places || onlyPlaces || '0'}`;
  const value = parseDecimal(plain);
  return (sign === '' || sign === '+' ? value : value.times(-1)).toFixed();
}
