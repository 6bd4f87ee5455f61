/** Pieces of SQL with their values, for statements that are put together from what a request asks for. */
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

/** All conditions, or a row's columns with the values that they must have. */
export type Conditions = readonly Fragment[] | Readonly<Record<string, Value>>;

/** `where` with all conditions; nothing without any. */
export function where(...conditions: readonly (Conditions | undefined)[]): Fragment {
  const all = conditions.flatMap((some) => (some === undefined ? [] : toFragments(some)));
  return all.length === 0 ? fragment('') : joined([fragment(' where '), ...separated(all, ' and ')]);
}

/** One of several conditions; none without any. */
export function either(conditions: readonly Fragment[]): Fragment {
  if (conditions.length === 0) return fragment('false');
  return joined([fragment('('), ...separated(conditions, ' or '), fragment(')')]);
}

export function joined(parts: readonly Fragment[]): Fragment {
  return { sql: parts.map(({ sql }) => sql).join(''), values: parts.flatMap(({ values }) => values) };
}

/** The statement for the driver, which counts its places. */
export function toStatement({ sql, values }: Fragment): Statement {
  let place = 0;
  return { text: sql.replaceAll('?', () => `$${++place}`), values };
}

function toFragments(conditions: Conditions): readonly Fragment[] {
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
