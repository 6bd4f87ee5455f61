/** Filters of templates for days and exact decimals, in place of Liquid's own, which guess dates and calculate with floats. */
import type { Context, FilterImplOptions, Liquid } from 'liquidjs';
import { formatPattern, isDayPattern } from '../../../domain/locale/formats.ts';
import { decimal, type Exact } from '../../../domain/money.ts';
import { DayValue, DecimalValue, isoDay, type Rendering } from './liquid-values.ts';

/** As Liquid calls a filter. */
interface Called {
  readonly context: Context;
}
type Filter = (this: Called, ...values: unknown[]) => unknown;
type Builtin = Readonly<Record<string, FilterImplOptions | undefined>>;

/** The filters that format days by names of months or standards. */
const OF_DAYS = ['date_to_string', 'date_to_long_string', 'date_to_xmlschema', 'date_to_rfc822'];
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;
/** Formats of numbers: 0, 0.00, #,##0.00; a comma for separated thousands. */
const NUMBER_PATTERN = /^(#,##)?0(?:\.(0{1,10}))?$/;
const MAX_PLACES = 10;

/** Operations on two exact numbers; undefined where there is no result. */
const OPERATIONS: Readonly<Record<string, (one: Exact, other: Exact) => Exact | undefined>> = {
  plus: (one, other) => one.plus(other),
  minus: (one, other) => one.minus(other),
  times: (one, other) => one.times(other),
  divided_by: (one, other) => (other.eq(0) ? undefined : one.div(other)),
  modulo: (one, other) => (other.eq(0) ? undefined : one.minus(other.times(floor(one.div(other))))),
  at_least: (one, other) => (one.lt(other) ? other : one),
  at_most: (one, other) => (one.gt(other) ? other : one),
};

/** Adds the filters to an engine. @param rendering of what is rendered in a context */
export function registerTypedFilters(
  engine: Liquid,
  builtin: Builtin,
  rendering: (context: Context) => Rendering,
): void {
  const register = (name: string, filter: Filter) => engine.registerFilter(name, filter as FilterImplOptions);
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    register(name, function (value, argument) {
      const on = rendering(this.context);
      const [one, other] = [on.numberOf(value) ?? decimal(0), on.numberOf(argument) ?? decimal(0)];
      const result = operation(one, other);
      if (result === undefined) on.isNot(argument, 'a number to divide by');
      return result === undefined ? undefined : on.result(result, resultCurrency(name, value, argument));
    });
  }
  const single = (name: string, change: (value: Exact, places: number) => Exact) =>
    register(name, function (value, places) {
      const on = rendering(this.context);
      const count = Number(on.numberOf(places)?.toFixed() ?? 0);
      return on.result(change(on.numberOf(value) ?? decimal(0), clamp(count)), resultCurrency(name, value));
    });
  single('abs', (value) => value.abs());
  single('floor', floor);
  single('ceil', (value) => floor(value.neg()).neg());
  single('round', (value, places) => value.round(places));
  register('sum', function (list, member) {
    const on = rendering(this.context);
    const entries = (Array.isArray(list) ? list : [list]).map((entry) =>
      member === undefined ? entry : own(entry, member),
    );
    const total = entries.reduce<Exact>((sum, entry) => sum.plus(on.numberOf(entry) ?? 0), decimal(0));
    return on.result(total, entries[0] instanceof DecimalValue ? entries[0].currency : null);
  });
  register('money', function (value, format) {
    const on = rendering(this.context);
    const currency = (value instanceof DecimalValue ? value.currency : null) ?? on.printing.currency;
    return formatNumber(on, value, format, { style: 'currency', currency });
  });
  register('number', function (value, format) {
    return formatNumber(rendering(this.context), value, format, { style: 'decimal' });
  });
  registerDays(register, builtin, rendering);
}

function registerDays(
  register: (name: string, filter: Filter) => void,
  builtin: Builtin,
  rendering: (context: Context) => Rendering,
): void {
  const format = (name: string, called: Called, ...values: unknown[]) =>
    (builtin[name] as Filter).call(localized(called, rendering), ...values);
  register('date', function (value, wanted) {
    const on = rendering(this.context);
    if (value === undefined || value === null) return value;
    if (value === 'now' || value === 'today')
      return format('date', this, value, wanted ?? '%Y-%m-%d', on.printing.timezone);
    const day = isoDay(value);
    if (day === undefined) {
      if (isInstant(value)) return format('date', this, value, wanted ?? '%Y-%m-%d', on.printing.timezone);
      on.isNot(value, 'a date');
      return value;
    }
    if (wanted === undefined || wanted === null) return new DayValue(day, on);
    const pattern = String(wanted);
    if (pattern.includes('%')) return format('date', this, `${day}T00:00:00Z`, pattern, 0);
    if (isDayPattern(pattern)) return formatPattern(pattern, day);
    on.isNot(wanted, 'a format of dates, such as %d/%m/%Y or dd/MM/yyyy');
    return new DayValue(day, on);
  });
  for (const name of OF_DAYS) {
    register(name, function (value, ...more) {
      const day = isoDay(value);
      if (day !== undefined) return format(name, this, `${day}T00:00:00Z`, ...more);
      if (value === undefined || value === null || isInstant(value)) return format(name, this, value, ...more);
      rendering(this.context).isNot(value, 'a date');
      return value;
    });
  }
}

/** With the names of months and days in the reader's language. */
function localized(called: Called, rendering: (context: Context) => Rendering): Called {
  const { memoryLimit, opts } = called.context;
  const { locale } = rendering(called.context).formats;
  return { ...called, context: { memoryLimit, opts: { ...opts, locale } } as Context };
}

function formatNumber(
  on: Rendering,
  value: unknown,
  format: unknown,
  style: { readonly style: 'currency'; readonly currency: string } | { readonly style: 'decimal' },
): unknown {
  if (value === undefined || value === null) return value;
  const number = on.numberOf(value);
  if (number === undefined) return value;
  const found = numberFormat(format);
  if (found === undefined) on.isNot(format, 'a format of numbers, such as 0.00, #,##0.00 or a number of decimals');
  return on.formats.decimals(number.toFixed(), { ...style, ...(found ?? {}) });
}

interface NumberFormat {
  readonly places?: number;
  readonly grouped?: boolean;
}

/** Undefined if it is no format. */
function numberFormat(format: unknown): NumberFormat | undefined {
  if (format === undefined || format === null) return {};
  const text = String(format);
  if (/^\d{1,2}$/.test(text) && text !== '0') return Number(text) <= MAX_PLACES ? { places: Number(text) } : undefined;
  if (typeof format === 'number') return format === 0 ? { places: 0 } : undefined;
  const [match, grouping, decimals = ''] = NUMBER_PATTERN.exec(text) ?? [];
  return match === undefined ? undefined : { places: decimals.length, grouped: grouping !== undefined };
}

/** An amount stays one, but for the quotient of two. */
function resultCurrency(name: string, ...values: readonly unknown[]): string | null {
  const [one, other] = values.map((value) => (value instanceof DecimalValue ? value.currency : null));
  if (name === 'divided_by' && one != null && other != null) return null;
  return one ?? other ?? null;
}

function floor(value: Exact): Exact {
  const whole = value.round(0, 0);
  return whole.gt(value) ? whole.minus(1) : whole;
}

function clamp(places: number): number {
  return Number.isFinite(places) ? Math.min(Math.max(Math.trunc(places), 0), MAX_PLACES) : 0;
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && ISO_INSTANT.test(value) && !Number.isNaN(Date.parse(value));
}

function own(holder: unknown, name: unknown): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, String(name))) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[String(name)];
}
