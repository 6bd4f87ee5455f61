/** Finds texts that PostgreSQL cannot store, and bodies nested so deeply that they are an attack. */
import type { FieldError } from '../../../domain/errors.ts';

const MAX_DEPTH = 32;
/** With the u flag, only unpaired surrogates match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a text can be stored: no NUL, no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !LONE_SURROGATE.test(text);
}

/** Escapes one step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Finds the first text of a body that cannot be stored, as a fault; undefined if all can. Not recursive, because bodies are untrusted. */
export function findUnstorableText(body: unknown): FieldError | undefined {
  const open: { value: unknown; pointer: string; depth: number }[] = [{ value: body, pointer: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, pointer, depth } = next;
    if (typeof value === 'string' && !isStorable(value)) {
      return { pointer, code: 'invalid_text', message: 'contains a character that cannot be stored' };
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH)
      return { pointer, code: 'too_deep', message: `is nested more than ${MAX_DEPTH} levels deep` };
    for (const [name, entry] of Object.entries(value)) {
      if (!isStorable(name)) {
        return { pointer, code: 'invalid_text', message: 'has a member whose name cannot be stored' };
      }
      open.push({ value: entry, pointer: pointer + pointerStep(name), depth: depth + 1 });
    }
  }
  return undefined;
}
