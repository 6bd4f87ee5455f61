/** Searches texts that others wrote for texts that others wrote. */

/** Product of lengths up to which the engine's own search is fast, whatever the texts. */
const NATIVE = 1_000_000;

/**
 * Whether a text contains another, in time proportional to their lengths. The search of the engine is faster for ordinary texts, but takes
 * the product of the lengths for those made to slow it down.
 */
export function includesText(text: string, sought: string): boolean {
  if (text.length * sought.length <= NATIVE) return text.includes(sought);
  // Knuth, Morris and Pratt.
  const borders = borderLengths(sought);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text.charCodeAt(at) !== sought.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === sought.charCodeAt(matched)) matched += 1;
    if (matched === sought.length) return true;
  }
  return false;
}

/** For each beginning of a text, the length of its longest shorter beginning that is also its end. */
function borderLengths(text: string): Uint32Array {
  const lengths = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = lengths[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    lengths[at] = length;
  }
  return lengths;
}
