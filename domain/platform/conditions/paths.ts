/** Dotted paths into data: `document.partner.name`, `linked_documents.type`, `lines.0.quantity`. */
import { camelCase } from '../../words.ts';

const STEP = /^[A-Za-z0-9_-]{1,100}$/;
const MAX_STEPS = 10;
/** Names that lead from the data into the language runtime. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** The steps of a path; `lines[0]` is written for `lines.0` too. */
export function pathSteps(path: string): string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}

/** Explains why a text is not a valid path; null if it is. */
export function pathFault(path: string): string | null {
  const steps = pathSteps(path);
  if (steps.length > MAX_STEPS) return `must have at most ${MAX_STEPS} steps`;
  const wrong = steps.find((step) => !STEP.test(step));
  if (wrong !== undefined) return 'must be names of members separated by dots, such as partner.name';
  const forbidden = steps.find((step) => FORBIDDEN.has(step));
  return forbidden === undefined ? null : `must not lead through ${forbidden}`;
}

/**
 * Returns the value at the end of a path. Names may be in snake_case for camelCase members; on a list, a number selects one entry, and a
 * name selects that member of every entry.
 * @returns undefined if the path leads nowhere; finds only members of the data itself
 */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const step of pathSteps(path)) {
    value = member(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

function member(holder: unknown, name: string): unknown {
  if (Array.isArray(holder)) {
    if (/^\d+$/.test(name)) return holder[Number(name)] as unknown;
    return holder.flatMap((entry) => member(entry, name) ?? []);
  }
  if (typeof holder !== 'object' || holder === null) return undefined;
  const members = holder as Record<string, unknown>;
  if (Object.hasOwn(members, name)) return members[name];
  const camel = camelCase(name);
  return Object.hasOwn(members, camel) ? members[camel] : undefined;
}
