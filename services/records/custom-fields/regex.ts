/**
 * Runs regular expressions written by companies on an engine with linear time (RE2: no look-around, no back-references). Large expressions
 * and long texts are still expensive, so each company has a budget.
 *
 * Work is counted in steps: instructions of the compiled expression (`[A-Z]{2}\d{6}` has 12) times characters of the text. A million steps
 * take between 20 and 200 ms.
 */
import { RE2JS } from 're2js';

const MAX_PROGRAM = 1000;
/** Work up to this many steps is free. */
const FREE_STEPS = 20_000;
/** Work of more than this many steps is refused, since it would block the process for too long. */
const MAX_STEPS = 1_000_000;
/** Compiling one step of an expression costs as much as this many steps of a search; reading one character of it, a tenth. */
const COMPILE_COST = 500;
/** Steps that one company may use per window. */
const BUDGET = 3_000_000;
const WINDOW_MS = 5000;
const MAX_CACHED = 1000;

/** Reason for refusing an expression. */
interface Refusal {
  readonly fault: string;
}

/** Compiled and refused expressions, most recently used last. */
const compiled = new Map<string, RE2JS | Refusal>();
const used = new Map<string, { readonly since: number; steps: number }>();

/**
 * Whether a company's expression matches within the text (it is anchored only by its own ^ and $).
 * @returns undefined if unknown: the expression is unusable, or the company has used up its budget for now
 */
export function matches(tenantId: string, pattern: string, text: string): boolean | undefined {
  const regex = cached(compiled, pattern) ?? compile(tenantId, pattern);
  if (!(regex instanceof RE2JS)) return undefined;
  const steps = regex.programSize() * text.length;
  if (steps > MAX_STEPS || (steps > FREE_STEPS && !spend(tenantId, steps))) return undefined;
  return regex.matcher(text).find();
}

/** Explains why an expression cannot be used; undefined if it can. */
export function regexFault(tenantId: string, pattern: string): string | undefined {
  const regex = compile(tenantId, pattern);
  return regex instanceof RE2JS ? undefined : regex.fault;
}

function compile(tenantId: string, pattern: string): RE2JS | Refusal {
  if (!spend(tenantId, (pattern.length * COMPILE_COST) / 10))
    return { fault: 'too many were tried; try again in a few seconds' };
  const regex = compiledOrRefused(pattern);
  if (regex instanceof RE2JS) spend(tenantId, regex.programSize() * COMPILE_COST);
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

/** Charges steps to the company's budget of this window. @returns false if it is used up */
function spend(tenantId: string, steps: number): boolean {
  const now = performance.now();
  let use = cached(used, tenantId);
  if (use === undefined || now - use.since >= WINDOW_MS) {
    use = { since: now, steps: 0 };
    cacheEntry(used, tenantId, use);
  }
  if (use.steps >= BUDGET) return false;
  use.steps += steps;
  return true;
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
