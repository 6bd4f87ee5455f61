/** Groups of conditions: all or any of their entries must hold, which are conditions or groups themselves. */
import type { FieldError } from '../../errors.ts';
import { type Condition, holds, type Placed, placedFaults } from './conditions.ts';
import { type Calendar, UTC } from './days.ts';

export type Group = { readonly all: readonly Entry[] } | { readonly any: readonly Entry[] };
export type Entry = Condition | Group;
/** A list, in which all must hold, or a group. */
export type Conditions = readonly Entry[] | Group;

/** Groups within each other. */
export const MAX_DEPTH = 3;
/** Conditions in all groups together. */
export const MAX_CONDITIONS = 20;

/** Whether the conditions hold; true for an empty list. @param calendar by which days count */
export function hold(conditions: Conditions, data: unknown, calendar: Calendar = UTC): boolean {
  return isList(conditions)
    ? conditions.every((entry) => entryHolds(entry, data, calendar))
    : entryHolds(conditions, data, calendar);
}

function entryHolds(entry: Entry, data: unknown, calendar: Calendar): boolean {
  if ('all' in entry) return entry.all.every((one) => entryHolds(one, data, calendar));
  if ('any' in entry) return entry.any.some((one) => entryHolds(one, data, calendar));
  return holds(entry, data, calendar);
}

/** Whether there is nothing that must hold. */
export function isUnconditional(conditions: Conditions): boolean {
  return isList(conditions) && conditions.length === 0;
}

/** Lists the conditions of all groups, with pointers. @param pointer of the whole */
export function placedConditions(conditions: Conditions, pointer: string): Placed[] {
  return isList(conditions)
    ? conditions.flatMap((entry, index) => placedIn(entry, `${pointer}/${index}`))
    : placedIn(conditions, pointer);
}

function placedIn(entry: Entry, pointer: string): Placed[] {
  if (!isGroup(entry)) return [{ condition: entry, pointer }];
  return entriesIn(entry).flatMap(({ name, entries }) => placedConditions(entries, `${pointer}/${name}`));
}

/** Finds the faults of conditions with known operators, and of their groups. @param pointer of the whole */
export function groupFaults(
  conditions: Conditions,
  pointer: string,
  relative: 'relative days' | 'fixed days',
): FieldError[] {
  const faults = isList(conditions)
    ? conditions.flatMap((entry, index) => formFaults(entry, `${pointer}/${index}`, 1))
    : formFaults(conditions, pointer, 1);
  if (faults.length > 0) return faults;
  const placed = placedConditions(conditions, pointer);
  if (placed.length > MAX_CONDITIONS) {
    return [
      { pointer, code: 'too_many', message: `must have at most ${MAX_CONDITIONS} conditions in all groups together` },
    ];
  }
  return placedFaults(placed, pointer, relative);
}

/** The faults of an entry's form: it is either a condition or a group, with one list that is not empty. */
function formFaults(entry: Entry, pointer: string, depth: number): FieldError[] {
  if (!isGroup(entry)) {
    const missing = (['field', 'operator'] as const).filter((name) => entry[name] === undefined);
    return missing.map((name) => ({ pointer: `${pointer}/${name}`, code: 'required', message: 'is required' }));
  }
  if (depth > MAX_DEPTH)
    return [
      { pointer, code: 'too_deep', message: `cannot be a group because groups have at most ${MAX_DEPTH} levels` },
    ];
  if (Object.keys(entry).length > 1) {
    const message = 'must be a condition, or have all or any and nothing else';
    return [{ pointer, code: 'contradiction', message }];
  }
  return entriesIn(entry).flatMap(({ name, entries }) => {
    const at = `${pointer}/${name}`;
    if (entries.length === 0) return [{ pointer: at, code: 'too_short', message: 'must have at least one entry' }];
    return entries.flatMap((one, index) => formFaults(one, `${at}/${index}`, depth + 1));
  });
}

/** The lists of a group, of which a valid one has one. */
function entriesIn(group: Group): { readonly name: 'all' | 'any'; readonly entries: readonly Entry[] }[] {
  const { all, any } = group as { all?: readonly Entry[]; any?: readonly Entry[] };
  return [
    ...(all === undefined ? [] : [{ name: 'all' as const, entries: all }]),
    ...(any === undefined ? [] : [{ name: 'any' as const, entries: any }]),
  ];
}

function isGroup(entry: Entry): entry is Group {
  return 'all' in entry || 'any' in entry;
}

function isList(conditions: Conditions): conditions is readonly Entry[] {
  return Array.isArray(conditions);
}
