/**
 * Refuses JSON texts that would take long to read, by their outline: half a million empty lists in each other take a seventh of a second
 * to parse, and as long to be collected, while looking at their characters takes two milliseconds.
 */
import { validationFailed } from '../../../domain/errors.ts';

/** Shorter texts are read at once. */
const SHORT = 8192;
/** Levels that are not even read; `assertShape`, which knows where they are, allows far fewer. */
const MAX_LEVELS = 5000;
/** Values of a text. Lines of documents have some 20 characters for each, so that 1 MiB of them has fewer. */
const MAX_VALUES = 50_000;

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Array.from('"\\,[]{}', (one) =>
  one.charCodeAt(0),
);

/** Refuses too many levels or values. Whether the text is JSON is seen when it is parsed. @throws ServiceError validation_failed */
export function assertOutline(text: string): void {
  if (text.length <= SHORT) return;
  let [levels, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at + 1);
    } else if (code === LIST || code === OBJECT) {
      levels += 1;
      values += 1;
      if (levels > MAX_LEVELS) refuse('too_deep', `is nested more than ${MAX_LEVELS} levels deep`);
    } else if (code === LIST_END || code === OBJECT_END) {
      levels -= 1;
    } else if (code === COMMA) {
      values += 1;
    }
    if (values > MAX_VALUES) refuse('too_many', `must have at most ${MAX_VALUES} values`);
  }
}

/** The index of the quote that ends a text; the end, if none does. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function refuse(code: string, message: string): never {
  throw validationFailed([{ pointer: '', code, message }]);
}
