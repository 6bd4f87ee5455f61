/** Conditions on data: field, operator, value. Filters of webhooks and rules of automations are lists of them, in which all must hold. */
import type Big from 'big.js';
import type { FieldError } from '../../errors.ts';
import { decimal, parseDecimal } from '../../money.ts';
import { type Calendar, orderOfTimes, relativeFault, sameTime, UTC } from './days.ts';
import { pathFault, valueAt } from './paths.ts';
import { includesText } from './search.ts';

export const OPERATORS = ['equals', 'not_equals', 'contains', 'greater_than', 'less_than', 'is_empty', 'in'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  /** A dotted path. */
  readonly field: string;
  readonly operator: Operator;
  /** A list for `in`; ignored for `is_empty`. */
  readonly value?: unknown;
}

/** Maximum entries of `in` lists, over all conditions together. */
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
 * relative days; other texts by characters. A missing value is empty and equals only null.
 */
export function holds({ field, operator, value }: Condition, data: unknown, calendar: Calendar = UTC): boolean {
  const actual = valueAt(data, field);
  switch (operator) {
    case 'equals':
      return matcherFor([value], calendar)(actual);
    case 'not_equals':
      return !matcherFor([value], calendar)(actual);
    case 'contains':
      return contains(actual, value, calendar);
    case 'greater_than':
      return (order(actual, value, calendar) ?? 0) > 0;
    case 'less_than':
      return (order(actual, value, calendar) ?? 0) < 0;
    case 'is_empty':
      return isEmpty(actual);
    case 'in':
      return Array.isArray(value) && asEntries(actual).some(matcherFor(value, calendar));
  }
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

/** Compares two values: negative, zero or positive; null if they are not comparable. */
function order(actual: unknown, value: unknown, calendar: Calendar): number | null {
  if (typeof actual === 'string' && typeof value === 'string') {
    return orderOfTimes(actual, value, calendar) ?? (actual < value ? -1 : Number(actual > value));
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
  if (JSON.stringify(conditions).length > MAX_JSON) {
    return [{ pointer, code: 'too_long', message: `must have at most ${MAX_JSON} characters as JSON` }];
  }
  let values = 0;
  return conditions.flatMap(({ field, operator, value }, index): FieldError[] => {
    const path = pathFault(field);
    if (operator === 'in' && Array.isArray(value)) values += value.length;
    const fault =
      values > MAX_VALUES ? TOO_MANY : (valueFault(operator, value) ?? timeFault(operator, value, relative));
    return [
      ...(path === null ? [] : [{ pointer: `${pointer}/${index}/field`, code: 'invalid_path', message: path }]),
      ...(fault === null ? [] : [{ pointer: `${pointer}/${index}/value${fault.at ?? ''}`, ...fault.said }]),
    ];
  });
}

interface ValueFault {
  readonly at?: string;
  readonly said: { readonly code: string; readonly message: string };
}

const TOO_MANY: ValueFault = {
  said: { code: 'too_many', message: `must have at most ${MAX_VALUES} entries in all lists together` },
};

function valueFault(operator: Operator, value: unknown): ValueFault | null {
  if (operator === 'is_empty') return null;
  if (value === undefined) return { said: { code: 'required', message: 'is required' } };
  if (operator !== 'in') return singleFault(operator, value);
  if (!Array.isArray(value) || value.length === 0) {
    return { said: { code: 'invalid_type', message: 'must be a list with at least one entry' } };
  }
  for (const [index, entry] of value.entries()) {
    const fault = singleFault('equals', entry);
    if (fault !== null) return { ...fault, at: `/${index}` };
  }
  return null;
}

function singleFault(operator: Operator, value: unknown): ValueFault | null {
  if (typeof value === 'string' && value.length > MAX_CHARACTERS) {
    return { said: { code: 'too_long', message: `must have at most ${MAX_CHARACTERS} characters` } };
  }
  if (typeof value === 'string' || typeof value === 'number') return null;
  if (operator === 'greater_than' || operator === 'less_than') {
    return { said: { code: 'invalid_type', message: 'must be a number, a date or another text' } };
  }
  if (typeof value === 'boolean' || (value === null && operator !== 'contains')) return null;
  return { said: { code: 'invalid_type', message: 'must be a text, a number, true or false' } };
}

/** The fault of a value that is, or seems to be, a relative day. */
function timeFault(operator: Operator, value: unknown, relative: 'relative days' | 'fixed days'): ValueFault | null {
  const isOrder = operator === 'greater_than' || operator === 'less_than';
  for (const [index, entry] of (Array.isArray(value) ? value : [value]).entries()) {
    const message = relativeFault(entry, { isOrder, isAllowed: relative === 'relative days' });
    if (operator === 'is_empty' || operator === 'contains' || message === null) continue;
    return { ...(Array.isArray(value) ? { at: `/${index}` } : {}), said: { code: 'invalid_format', message } };
  }
  return null;
}
