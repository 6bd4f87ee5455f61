/**
 * Regular expressions that a company wrote, run by an engine whose time grows only with the text (RE2: no look-around, no
 * back-references). What is dear all the same, a large expression or a long text, is counted by company.
 *
 * Work is counted in steps: those of the compiled expression (`[A-Z]{2}\d{6}` has 12) times the characters of the text. A million of them
 * take between 20 and 200 ms.
 */
import { RE2JS } from 're2js';

const LARGEST_PROGRAM = 1000;
/** Up to here nobody counts. */
const CHEAP = 20_000;
/** Beyond this nothing is searched: it would hold up the process for too long at a time. */
const DEAREST = 1_000_000;
/** To compile one step of an expression costs as much as so many steps of a search; to read one character of it, a tenth. */
const COMPILING = 500;
/** What one company may use of each window. */
const BUDGET = 3_000_000;
const WINDOW_MS = 5000;
const MOST_REMEMBERED = 1000;

/** Why an expression is not used. */
interface Refusal {
  readonly fault: string;
}

/** Expressions compiled or refused, the one used last at the end. */
const compiled = new Map<string, RE2JS | Refusal>();
const used = new Map<string, { readonly since: number; steps: number }>();

/**
 * Whether a company's expression is found in the text (it is anchored only by its own ^ and $).
 * @returns undefined where it cannot be known: the expression cannot be used, or the company has used up its time for the moment
 */
export function matches(tenantId: string, pattern: string, text: string): boolean | undefined {
  const regex = remembered(compiled, pattern) ?? compile(tenantId, pattern);
  if (!(regex instanceof RE2JS)) return undefined;
  const steps = regex.programSize() * text.length;
  if (steps > DEAREST || (steps > CHEAP && !spend(tenantId, steps))) return undefined;
  return regex.matcher(text).find();
}

/** Why a text cannot be used as a company's expression; undefined when it can. */
export function regexFault(tenantId: string, pattern: string): string | undefined {
  const regex = compile(tenantId, pattern);
  return regex instanceof RE2JS ? undefined : regex.fault;
}

function compile(tenantId: string, pattern: string): RE2JS | Refusal {
  if (!spend(tenantId, (pattern.length * COMPILING) / 10))
    return { fault: 'too many were tried; try again in some seconds' };
  const regex = compiledOrRefused(pattern);
  if (regex instanceof RE2JS) spend(tenantId, regex.programSize() * COMPILING);
  const result = regex instanceof RE2JS && regex.programSize() > LARGEST_PROGRAM ? { fault: 'it is too large' } : regex;
  remember(compiled, pattern, result);
  return result;
}

function compiledOrRefused(pattern: string): RE2JS | Refusal {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    return { fault: (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '') };
  }
}

/** @returns false when the company has nothing left of this window */
function spend(tenantId: string, steps: number): boolean {
  const now = performance.now();
  let use = remembered(used, tenantId);
  if (use === undefined || now - use.since >= WINDOW_MS) {
    use = { since: now, steps: 0 };
    remember(used, tenantId, use);
  }
  if (use.steps >= BUDGET) return false;
  use.steps += steps;
  return true;
}

/** The entry, which now counts as used last. */
function remembered<T>(entries: Map<string, T>, key: string): T | undefined {
  const entry = entries.get(key);
  if (entry !== undefined) remember(entries, key, entry);
  return entry;
}

function remember<T>(entries: Map<string, T>, key: string, entry: T): void {
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size > MOST_REMEMBERED) entries.delete(String(entries.keys().next().value));
}
