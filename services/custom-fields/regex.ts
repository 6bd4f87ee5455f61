/**
 * Regular expressions that a company wrote, run so that none can stall the service: a hostile one is stopped by the time
 * limit of node:vm, which interrupts a search that backtracks.
 */
import { createContext, Script } from 'node:vm';

/** Milliseconds that the expressions of one record may take together. Honest ones take less than one. */
const LIMIT_MS = 100;

const sandbox = createContext(Object.create(null) as Record<string, unknown>, {
  codeGeneration: { strings: false, wasm: false },
});
const search = new Script('new RegExp(pattern, "u").test(text)');

/** What is left of the time for the expressions of one record. */
export class RegexTime {
  #left = LIMIT_MS;

  /**
   * Whether the expression is found in the text (it is anchored only by its own ^ and $).
   * @returns undefined when the time was up before that was known
   */
  matches(pattern: string, text: string): boolean | undefined {
    if (this.#left < 1) return undefined;
    const started = performance.now();
    try {
      Object.assign(sandbox, { pattern, text });
      return search.runInContext(sandbox, { timeout: Math.ceil(this.#left) }) === true;
    } catch {
      return undefined; // too slow, or too large to be run at all
    } finally {
      this.#left -= performance.now() - started;
    }
  }
}

/** Why a text is no regular expression (with Unicode); undefined when it is one. */
export function regexFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return new RegexTime().matches(pattern, '') === undefined ? 'is too large or too slow to be used' : undefined;
}
