/**
 * Runs regular expressions written by companies on an engine with linear time (RE2: no look-around, no back-references). Large expressions
 * and long texts are still expensive, so each company has a budget.
 *
 * Work is counted in steps: instructions of the compiled expression (`[A-Z]{2}\d{6}` has 12) times characters of the text. A million steps
 * take between 20 and 200 ms.
 */
import { RE2JS } from 're2js';

const MAX_PROGRAM = 1000;
/** Work up to this many steps is free: a record may have a hundred such fields. */
const FREE_STEPS = 5000;
/** Work of more than this many steps is refused, since it would block the process for too long. */
const MAX_STEPS = 1_000_000;
/** Compiling one step of an expression costs as much as this many steps of a search; reading one character of it, a tenth. */
const COMPILE_COST = 100;
/** Steps that one company may use at once, and per millisecond in the long run. */
const BUDGET = MAX_STEPS;
const REFILL = 600;
const MAX_CACHED = 1000;

/** Reason for refusing an expression. */
interface Refusal {
  readonly fault: string;
}

/** Compiled and refused expressions, most recently used last. */
const compiled = new Map<string, RE2JS | Refusal>();
/** Steps that companies have used and that are not refilled yet. */
const used = new Map<string, { readonly at: number; readonly steps: number }>();

/**
 * Whether a company's expression matches within the text (it is anchored only by its own ^ and $).
 * @returns undefined if unknown: the expression is unusable, or the company has used up its budget for now
 */
export function matches(tenantId: string, pattern: string, text: string): boolean | undefined {
  const regex = cached(compiled, pattern) ?? compile(tenantId, pattern);
  if (!(regex instanceof RE2JS)) return undefined;
  const steps = regex.programSize() * text.length;
  if (steps > FREE_STEPS) {
    if (usedSteps(tenantId) + steps > BUDGET) return undefined;
    use(tenantId, steps);
  }
  return regex.matcher(text).find();
}

/** Explains why an expression cannot be used; undefined if it can. */
export function regexFault(tenantId: string, pattern: string): string | undefined {
  const regex = compile(tenantId, pattern);
  return regex instanceof RE2JS ? undefined : regex.fault;
}

function compile(tenantId: string, pattern: string): RE2JS | Refusal {
  if (usedSteps(tenantId) >= BUDGET) return { fault: 'too many were tried; try again in a few seconds' };
  const regex = compiledOrRefused(pattern);
  const size = regex instanceof RE2JS ? regex.programSize() : 0;
  use(tenantId, (size + pattern.length / 10) * COMPILE_COST);
  const result = regex instanceof RE2JS && regex.programSize() > MAX_PROGRAM ? { fault: 'it is too large' } : regex;
  cacheEntry(compiled, pattern, result);
  return result;
}

function compiledOrRefused(pattern: string): RE2JS | Refusal {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    return { fault: (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '') };
  }
}

function usedSteps(tenantId: string): number {
  const { at, steps } = cached(used, tenantId) ?? { at: 0, steps: 0 };
  return Math.max(0, steps - (performance.now() - at) * REFILL);
}

function use(tenantId: string, steps: number): void {
  cacheEntry(used, tenantId, { at: performance.now(), steps: usedSteps(tenantId) + steps });
}

/** Gets an entry and marks it as the most recently used. */
function cached<T>(entries: Map<string, T>, key: string): T | undefined {
  const entry = entries.get(key);
  if (entry !== undefined) cacheEntry(entries, key, entry);
  return entry;
}

function cacheEntry<T>(entries: Map<string, T>, key: string, entry: T): void {
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size > MAX_CACHED) entries.delete(String(entries.keys().next().value));
}
