/** Finds the people that a text mentions: `@ana@example.com`. */

/** An e-mail address after an `@` that begins a word. */
const MENTION = /(?<![\p{L}\p{N}._%+-])@([\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+)/gu;
/** Punctuation at the end of a sentence is not part of an address. */
const TRAILING = /[.-]+$/;

/** Lists the mentioned e-mail addresses in lower case, each once, in order of appearance. */
export function mentionsIn(text: string): string[] {
  const found = [...text.matchAll(MENTION)].map((match) => String(match[1]).replace(TRAILING, '').toLowerCase());
  return [...new Set(found)].filter((address) => !address.endsWith('@'));
}
