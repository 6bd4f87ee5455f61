/**
 * Regular expressions that a company wrote, run so that none can stall the service: a hostile one is stopped by the time
 * limit of node:vm, which interrupts a search that backtracks.
 */
import { createContext, Script } from 'node:vm';

/** Milliseconds that the expressions of one record may take together. Honest ones take less than one. */
const LIMIT_MS = 100;
/** Stopped so often within a minute, an expression gets less: repeating a hostile one does not stall the process either. */
const STRIKES = 3;
const SLOW_LIMIT_MS = 5;
const STRIKES_COUNT_MS = 60_000;
const MAX_REMEMBERED = 1000;
/** When expressions were stopped in this process, the one stopped last at the end. */
const stopped = new Map<string, readonly number[]>();

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
    const limit = strikes(pattern, started).length < STRIKES ? this.#left : Math.min(SLOW_LIMIT_MS, this.#left);
    try {
      Object.assign(sandbox, { pattern, text });
      return search.runInContext(sandbox, { timeout: Math.ceil(limit) }) === true;
    } catch {
      remember(pattern, started); // too slow, or too large to be run at all
      return undefined;
    } finally {
      this.#left -= performance.now() - started;
    }
  }
}

function strikes(pattern: string, now: number): readonly number[] {
  return (stopped.get(pattern) ?? []).filter((at) => now - at < STRIKES_COUNT_MS);
}

function remember(pattern: string, now: number): void {
  const all = [...strikes(pattern, now), now].slice(-STRIKES);
  stopped.delete(pattern);
  stopped.set(pattern, all);
  if (stopped.size > MAX_REMEMBERED) stopped.delete(String(stopped.keys().next().value));
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
