/** Texts that are cut where they are too long. */

/**
 * The first characters of a text: at most so many UTF-16 units, and no half of a pair, which PostgreSQL's JSON refuses.
 * @param most of units
 */
export function shortened(text: string, most: number): string {
  const part = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(part) && part.length < text.length ? part.slice(0, -1) : part;
}
