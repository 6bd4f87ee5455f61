/** Who a text mentions: `@ana@example.com`. */

/** An e-mail address after an `@` that begins a word. */
const MENTION = /(?<![\p{L}\p{N}._%+-])@([\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+)/gu;
/** What ends a sentence is no part of an address. */
const TRAILING = /[.-]+$/;

/** The e-mail addresses that a text mentions, in lower case, each once, in the order of the text. */
export function mentionsIn(text: string): string[] {
  const found = [...text.matchAll(MENTION)].map((match) => String(match[1]).replace(TRAILING, '').toLowerCase());
  return [...new Set(found)].filter((address) => !address.endsWith('@'));
}
