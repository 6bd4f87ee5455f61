/** Pieces of SQL with their values, for statements composed by request. */
import type { Statement } from '../statement.ts';

export type Value = string | number | boolean | null | readonly string[];

/** SQL with a `?` in the place of each value. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function fragment(sql: string, ...values: readonly Value[]): Fragment {
  return { sql, values };
}

/** Conditions that must all hold, or columns with their required values. */
export type Conditions = readonly Fragment[] | Readonly<Record<string, Value>>;

/** `where` with all conditions; empty without conditions. */
export function where(...conditions: readonly (Conditions | undefined)[]): Fragment {
  const all = conditions.flatMap((some) => (some === undefined ? [] : toFragments(some)));
  return all.length === 0 ? fragment('') : joined([fragment(' where '), ...separated(all, ' and ')]);
}

/** At least one of several conditions; never true without conditions. */
export function either(conditions: readonly Fragment[]): Fragment {
  if (conditions.length === 0) return fragment('false');
  return joined([fragment('('), ...separated(conditions, ' or '), fragment(')')]);
}

/** Several conditions in brackets, which must all hold. */
export function both(conditions: readonly Fragment[]): Fragment {
  return joined([fragment('('), ...separated(conditions, ' and '), fragment(')')]);
}

export function joined(parts: readonly Fragment[]): Fragment {
  return { sql: parts.map(({ sql }) => sql).join(''), values: parts.flatMap(({ values }) => values) };
}

/** The statement for the driver, with numbered placeholders. */
export function toStatement({ sql, values }: Fragment): Statement {
  let place = 0;
  return { text: sql.replaceAll('?', () => `$${++place}`), values };
}

/** Conditions one by one. */
export function toFragments(conditions: Conditions): readonly Fragment[] {
  if (isList(conditions)) return conditions;
  return Object.entries(conditions).map(([column, value]) =>
    value === null ? fragment(`${column} is null`) : fragment(`${column} = ?`, value),
  );
}

function isList(conditions: Conditions): conditions is readonly Fragment[] {
  return Array.isArray(conditions);
}

function separated(parts: readonly Fragment[], separator: string): Fragment[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [fragment(separator), part]));
}
