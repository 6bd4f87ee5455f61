/** Shortens texts. */

/** Returns the first characters of a text: at most `most` UTF-16 units, never half of a surrogate pair, which PostgreSQL's JSON refuses. */
export function shortened(text: string, most: number): string {
  const part = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(part) && part.length < text.length ? part.slice(0, -1) : part;
}
