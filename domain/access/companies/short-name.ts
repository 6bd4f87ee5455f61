/** Short names of companies, with which ids of their workflows begin. A company keeps its own for ever. */
import { slugify } from './slug.ts';

/** As many characters as leave room for the rest of an id in a list. */
export const MAX_SHORT_NAME = 12;
/** Names with which other ids begin. */
const RESERVED: ReadonlySet<string> = new Set(['maintenance']);

/** Makes a short name of a company's name: "Frutas García, S.L." → "frutas-garci". Never empty; it may be taken. */
export function shortNameFrom(name: string): string {
  return cut(slugify(name), MAX_SHORT_NAME);
}

/**
 * The first free name: the wished one, or one with a number in place of its end.
 * @param isTaken whether another company has it
 */
export function freeShortName(wished: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const name = `${cut(wished, MAX_SHORT_NAME - end.length)}${end}`;
    if (!RESERVED.has(name) && !isTaken(name)) return name;
  }
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/-+$/, '');
}
