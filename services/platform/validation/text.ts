/** Finds texts that PostgreSQL cannot store, and bodies nested so deeply that they are an attack. */
import type { FieldError } from '../../../domain/errors.ts';

/** Levels of objects and lists within each other. */
export const MAX_DEPTH = 32;
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

/** Lists the texts within a value, with pointers. */
export function textsIn(value: unknown, pointer: string): { readonly text: string; readonly pointer: string }[] {
  if (typeof value === 'string') return [{ text: value, pointer }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, pointer + pointerStep(name)));
}

/** Finds the first text of a body that cannot be stored, as a fault; undefined if all can. */
export function findUnstorableText(body: unknown): FieldError | undefined {
  return faultIn(body, 0);
}

/** Looks through a value, at most MAX_DEPTH deep. Pointers are made for a fault only: a body of 1 MiB has half a million values. */
function faultIn(value: unknown, depth: number): FieldError | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : unstorable('contains a character that cannot be stored');
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) {
    return { pointer: '', code: 'too_deep', message: `is nested more than ${MAX_DEPTH} levels deep` };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], depth + 1);
      if (fault !== undefined) return below(index, fault);
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) return unstorable('has a member whose name cannot be stored');
    const fault = faultIn((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== undefined) return below(name, fault);
  }
  return undefined;
}

function unstorable(message: string): FieldError {
  return { pointer: '', code: 'invalid_text', message };
}

/** Moves a fault's pointer from a member to its holder. */
export function below(step: string | number, fault: FieldError): FieldError {
  return { ...fault, pointer: pointerStep(step) + fault.pointer };
}
