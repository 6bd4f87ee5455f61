/** Conditions on data: field, operator, value. Filters of webhooks are lists of them, in which all must hold; rules have groups too. */
import type Big from 'big.js';
import type { FieldError } from '../../errors.ts';
import { decimal, parseDecimal } from '../../money.ts';
import { type Calendar, orderOfTimes, relativeFault, sameTime, UTC } from './days.ts';
import { pathFault, valueAt } from './paths.ts';
import { includesText } from './search.ts';

export const OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'greater_than',
  'less_than',
  'at_least',
  'at_most',
  'between',
  'is_empty',
  'not_empty',
  'in',
  'not_in',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Operators without a value, with a list of values, and those that compare by order. */
const WITHOUT_VALUE: ReadonlySet<Operator> = new Set(['is_empty', 'not_empty']);
const WITH_LIST: ReadonlySet<Operator> = new Set(['in', 'not_in', 'between']);
const BY_ORDER: ReadonlySet<Operator> = new Set(['greater_than', 'less_than', 'at_least', 'at_most', 'between']);
const OF_TEXTS: ReadonlySet<Operator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);

export interface Condition {
  /** A dotted path. */
  readonly field: string;
  readonly operator: Operator;
  /** A list for `in` and `not_in`, two values for `between`; ignored for `is_empty` and `not_empty`. */
  readonly value?: unknown;
  /** A path in the same data, whose value takes the place of `value`. */
  readonly value_field?: string;
}

/** Maximum entries of lists, over all conditions together. */
const MAX_VALUES = 500;
const MAX_CHARACTERS = 2000;
/** Maximum length of all conditions as JSON: they are read for every event that may match. */
const MAX_JSON = 32_768;
/** Texts that count as numbers in comparisons with a number. The parser of exact decimals accepts no plus sign. */
const NUMBER = /^(?:\+(?=\d))?(-?\d{1,30}(?:\.\d{1,30})?)$/;

/** Whether all conditions hold; true for an empty list. @param calendar by which days count */
export function allHold(conditions: readonly Condition[], data: unknown, calendar: Calendar = UTC): boolean {
  return conditions.every((condition) => holds(condition, data, calendar));
}

/**
 * Whether one condition holds. Numbers are compared as exact decimals, also with numeric texts; dates and instants by time, also with
 * relative days; other texts by characters. A missing value is empty and equals only null, and what cannot be compared holds for
 * no operator but the negative ones.
 */
export function holds(condition: Condition, data: unknown, calendar: Calendar = UTC): boolean {
  const { field, operator, value_field: other } = condition;
  const actual = valueAt(data, field);
  const value = other === undefined ? condition.value : (valueAt(data, other) ?? null);
  // Only whoever writes a condition may speak of relative days.
  const days = other === undefined ? calendar : { ...calendar, today: null };
  switch (operator) {
    case 'equals':
      return matcherFor([value], days)(actual);
    case 'not_equals':
      return !matcherFor([value], days)(actual);
    case 'contains':
      return contains(actual, value, days);
    case 'not_contains':
      return !contains(actual, value, days);
    case 'starts_with':
      return begins(actual, value, (text, sought) => text.startsWith(sought));
    case 'ends_with':
      return begins(actual, value, (text, sought) => text.endsWith(sought));
    case 'greater_than':
      return (order(actual, value, days) ?? 0) > 0;
    case 'less_than':
      return (order(actual, value, days) ?? 0) < 0;
    case 'at_least':
      return reaches(actual, value, days);
    case 'at_most':
      return isWithin(actual, value, days);
    case 'between':
      return Array.isArray(value) && reaches(actual, value[0], days) && isWithin(actual, value[1], days);
    case 'is_empty':
      return isEmpty(actual);
    case 'not_empty':
      return !isEmpty(actual);
    case 'in':
      return isIn(actual, value, days);
    case 'not_in':
      return !isIn(actual, value, days);
  }
}

function isIn(actual: unknown, value: unknown, calendar: Calendar): boolean {
  return Array.isArray(value) && asEntries(actual).some(matcherFor(value, calendar));
}

function reaches(actual: unknown, value: unknown, calendar: Calendar): boolean {
  return (order(actual, value, calendar, 'whole days') ?? -1) >= 0;
}

function isWithin(actual: unknown, value: unknown, calendar: Calendar): boolean {
  return (order(actual, value, calendar, 'whole days') ?? 1) <= 0;
}

/** Compares the ends of two texts, ignoring case as `contains` does. */
function begins(actual: unknown, value: unknown, compare: (text: string, sought: string) => boolean): boolean {
  if (typeof actual !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return false;
  return compare(actual.toLowerCase(), String(value).toLowerCase());
}

/**
 * Returns a test whether an entry equals one of the values. Its time does not grow with their number: a rule may have 500, and its record a
 * thousand lines.
 */
function matcherFor(values: readonly unknown[], calendar: Calendar): (entry: unknown) => boolean {
  const exact = new Set(values);
  const numbers = decimals(values, 'number');
  const numericTexts = decimals(values, 'string');
  const isTime = sameTime(values, calendar);
  return (entry) => {
    if (entry === undefined || entry === null) return exact.has(null);
    if (exact.has(entry) || (typeof entry === 'string' && isTime(entry))) return true;
    const others = typeof entry === 'string' ? numbers : typeof entry === 'number' ? numericTexts : NONE;
    return others.size > 0 && others.has(parseNumber(entry)?.toFixed());
  };
}

const NONE: ReadonlySet<unknown> = new Set();

/** The exact decimals of the numeric values of a type. */
function decimals(values: readonly unknown[], type: 'number' | 'string'): ReadonlySet<unknown> {
  return new Set(values.flatMap((value) => (typeof value === type ? (parseNumber(value)?.toFixed() ?? []) : [])));
}

/** Whether a text contains another, ignoring case, or a list contains an entry. */
function contains(actual: unknown, value: unknown, calendar: Calendar): boolean {
  if (Array.isArray(actual)) return actual.some(matcherFor([value], calendar));
  if (typeof actual !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return false;
  return includesText(actual.toLowerCase(), String(value).toLowerCase());
}

/**
 * Compares two values: negative, zero or positive; null if they are not comparable.
 * @param unit `whole days` makes a day equal to each of its instants
 */
function order(
  actual: unknown,
  value: unknown,
  calendar: Calendar,
  unit: 'instants' | 'whole days' = 'instants',
): number | null {
  if (typeof actual === 'string' && typeof value === 'string') {
    return orderOfTimes(actual, value, calendar, unit) ?? (actual < value ? -1 : Number(actual > value));
  }
  const [one, other] = [parseNumber(actual), parseNumber(value)];
  return one !== null && other !== null ? one.cmp(other) : null;
}

/** Parses a number or numeric text as an exact decimal; null for anything else. */
function parseNumber(value: unknown): Big | null {
  if (typeof value === 'number') return Number.isFinite(value) ? decimal(value) : null;
  const digits = typeof value === 'string' ? NUMBER.exec(value)?.[1] : undefined;
  return digits === undefined ? null : parseDecimal(digits);
}

function isEmpty(actual: unknown): boolean {
  if (actual === undefined || actual === null || actual === '') return true;
  return typeof actual === 'object' && Object.keys(actual).length === 0;
}

function asEntries(actual: unknown): readonly unknown[] {
  return Array.isArray(actual) ? actual : [actual];
}

/**
 * Finds the faults of conditions with known operators.
 * @param pointer of their list
 * @param relative whether values may be relative days
 */
export function conditionFaults(
  conditions: readonly Condition[],
  pointer: string,
  relative: 'relative days' | 'fixed days' = 'fixed days',
): FieldError[] {
  return placedFaults(
    conditions.map((condition, index) => ({ condition, pointer: `${pointer}/${index}` })),
    pointer,
    relative,
  );
}

/** A condition with the pointer to it. */
export interface Placed {
  readonly condition: Condition;
  readonly pointer: string;
}

/** Finds the faults of conditions wherever they stand. @param whole pointer of all of them */
export function placedFaults(
  placed: readonly Placed[],
  whole: string,
  relative: 'relative days' | 'fixed days',
): FieldError[] {
  if (JSON.stringify(placed.map(({ condition }) => condition)).length > MAX_JSON) {
    return [{ pointer: whole, code: 'too_long', message: `must have at most ${MAX_JSON} characters as JSON` }];
  }
  let values = 0;
  return placed.flatMap(({ condition, pointer }): FieldError[] => {
    const { field, operator, value, value_field: other } = condition;
    const path = pathFault(field);
    if (WITH_LIST.has(operator) && Array.isArray(value)) values += value.length;
    const fault = values > MAX_VALUES ? TOO_MANY : (valueFault(condition) ?? timeFault(operator, value, relative));
    const otherFault = other === undefined ? null : fieldFault(other, condition);
    return [
      ...(path === null ? [] : [{ pointer: `${pointer}/field`, code: 'invalid_path', message: path }]),
      ...(fault === null ? [] : [{ pointer: `${pointer}/value${fault.at ?? ''}`, ...fault.said }]),
      ...(otherFault === null ? [] : [{ pointer: `${pointer}/value_field`, ...otherFault }]),
    ];
  });
}

/** The fault of a path in the place of a value. */
function fieldFault(path: string, { operator, value }: Condition): { code: string; message: string } | null {
  if (WITHOUT_VALUE.has(operator) || operator === 'between')
    return { code: 'not_applicable', message: `cannot be compared by ${operator}` };
  if (value !== undefined) return { code: 'contradiction', message: 'cannot be given together with value' };
  const message = pathFault(path);
  return message === null ? null : { code: 'invalid_path', message };
}

interface ValueFault {
  readonly at?: string;
  readonly said: { readonly code: string; readonly message: string };
}

const TOO_MANY: ValueFault = {
  said: { code: 'too_many', message: `must have at most ${MAX_VALUES} entries in all lists together` },
};

function valueFault({ operator, value, value_field: other }: Condition): ValueFault | null {
  if (WITHOUT_VALUE.has(operator) || other !== undefined) return null;
  if (value === undefined) return { said: { code: 'required', message: 'is required' } };
  if (!WITH_LIST.has(operator)) return singleFault(operator, value);
  if (operator === 'between' && (!Array.isArray(value) || value.length !== 2))
    return { said: { code: 'invalid_type', message: 'must be a list of two values, the least and the greatest' } };
  if (!Array.isArray(value) || value.length === 0) {
    return { said: { code: 'invalid_type', message: 'must be a list with at least one entry' } };
  }
  for (const [index, entry] of value.entries()) {
    const fault = singleFault(operator === 'between' ? operator : 'equals', entry);
    if (fault !== null) return { ...fault, at: `/${index}` };
  }
  return null;
}

function singleFault(operator: Operator, value: unknown): ValueFault | null {
  if (typeof value === 'string' && value.length > MAX_CHARACTERS) {
    return { said: { code: 'too_long', message: `must have at most ${MAX_CHARACTERS} characters` } };
  }
  if (typeof value === 'string' || typeof value === 'number') return null;
  if (BY_ORDER.has(operator)) {
    return { said: { code: 'invalid_type', message: 'must be a number, a date or another text' } };
  }
  if (operator === 'starts_with' || operator === 'ends_with')
    return { said: { code: 'invalid_type', message: 'must be a text or a number' } };
  if (typeof value === 'boolean' || (value === null && !OF_TEXTS.has(operator))) return null;
  return { said: { code: 'invalid_type', message: 'must be a text, a number, true or false' } };
}

/** The fault of a value that is, or seems to be, a relative day. */
function timeFault(operator: Operator, value: unknown, relative: 'relative days' | 'fixed days'): ValueFault | null {
  const isOrder = BY_ORDER.has(operator);
  for (const [index, entry] of (Array.isArray(value) ? value : [value]).entries()) {
    const message = relativeFault(entry, { isOrder, isAllowed: relative === 'relative days' });
    if (WITHOUT_VALUE.has(operator) || OF_TEXTS.has(operator) || message === null) continue;
    return { ...(Array.isArray(value) ? { at: `/${index}` } : {}), said: { code: 'invalid_format', message } };
  }
  return null;
}
