/** Serial numbers, each of one piece. */

/** The most pieces of a line that have serial numbers. */
export const MAX_SERIALS = 1000;

/** The first and the last of consecutive serial numbers, such as A-0098 and A-0104. */
export interface SerialRange {
  readonly from: string;
  readonly to: string;
}

/** Why a range is none; `many` if it has more than a line can have. */
export type RangeFault = 'form' | 'order' | 'many';

/**
 * Lists the numbers of a range: the same beginning, and counting digits at the end that keep their length.
 * @returns the numbers, or why there are none
 */
export function expandRange({ from, to }: SerialRange): readonly string[] | RangeFault {
  const [first, last] = [split(from), split(to)];
  if (first === null || last === null || first.beginning !== last.beginning) return 'form';
  if (first.digits.length !== last.digits.length) return 'form';
  const [begin, end] = [BigInt(first.digits), BigInt(last.digits)];
  if (end < begin) return 'order';
  if (end - begin >= BigInt(MAX_SERIALS)) return 'many';
  return Array.from({ length: Number(end - begin) + 1 }, (_, index) => {
    const digits = String(begin + BigInt(index)).padStart(first.digits.length, '0');
    return `${first.beginning}${digits}`;
  });
}

function split(number: string): { readonly beginning: string; readonly digits: string } | null {
  const [, beginning = '', digits] = /^(.*?)([0-9]+)$/.exec(number) ?? [];
  return digits === undefined ? null : { beginning, digits };
}
