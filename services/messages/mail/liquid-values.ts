/** Days and exact decimals in templates: printed in the company's format, and compared by value. */
import type { Formats } from '../../../domain/locale/formats.ts';
import { isDayData, isDecimalData, type Printing } from '../../../domain/messages/mail/values.ts';
import { decimal, type Exact, parseDecimal } from '../../../domain/money.ts';

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/;
/** Bounds of results: a loop could square a number until nothing else happens. */
const MAX_PLACES = 20;
const MAX_EXPONENT = 30;
/** Maximum characters of a value in a warning, and warnings of a template. */
const MAX_SHOWN = 60;
const MAX_WARNINGS = 20;

/** One rendering: how it prints, and what could not be resolved. */
export class Rendering {
  readonly printing: Printing;
  readonly formats: Formats;
  readonly #unresolved = new Set<string>();

  /** @param formats of the printing: one for all members of a mail, since they take long to make */
  constructor(printing: Printing, formats: Formats) {
    this.printing = printing;
    this.formats = formats;
  }

  get unresolved(): readonly string[] {
    return [...this.#unresolved];
  }

  /** Notes that a value is not what a filter or comparison needs. @param what such as "a date" */
  isNot(value: unknown, what: string): void {
    if (this.#unresolved.size < MAX_WARNINGS) this.#unresolved.add(`“${shown(value)}” is not ${what}`);
  }

  /** An exact result; undefined if it is too large. */
  result(value: Exact, currency: string | null): DecimalValue | undefined {
    if (value.e <= MAX_EXPONENT) return new DecimalValue(value.round(MAX_PLACES), currency, this);
    this.isNot(value.toExponential(0), 'a number that templates can work with');
    return undefined;
  }

  /** The exact number that a value is; undefined, which is noted, for anything else. Missing values are 0. */
  numberOf(value: unknown): Exact | undefined {
    if (value === undefined || value === null) return decimal(0);
    const number = exactNumber(value);
    if (number === undefined) this.isNot(value, 'a number');
    return number;
  }

  /** Replaces data with a type by values, printed before the time of the template counts. */
  revive(data: unknown): unknown {
    if (typeof data !== 'object' || data === null) return data;
    if (Array.isArray(data)) return data.map((entry) => this.revive(entry));
    if (isDayData(data)) return printed(new DayValue(data.$day, this));
    if (isDecimalData(data)) return printed(new DecimalValue(decimal(data.$decimal), data.currency, this));
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, this.revive(value)]));
  }
}

function printed<Value extends Comparable>(value: Value): Value {
  String(value);
  return value;
}

/** Compares with anything; Liquid asks for these five. */
abstract class Comparable {
  /** Negative, zero or positive; undefined if there is no order. */
  protected abstract order(other: unknown): number | undefined;

  equals(other: unknown): boolean {
    return this.order(other) === 0;
  }

  gt(other: unknown): boolean {
    return (this.order(other) ?? 0) > 0;
  }

  lt(other: unknown): boolean {
    return (this.order(other) ?? 0) < 0;
  }

  geq(other: unknown): boolean {
    return (this.order(other) ?? -1) >= 0;
  }

  leq(other: unknown): boolean {
    return (this.order(other) ?? 1) <= 0;
  }
}

/** A day. */
export class DayValue extends Comparable {
  readonly #day: string;
  readonly #rendering: Rendering;
  #text: string | undefined;

  constructor(day: string, rendering: Rendering) {
    super();
    this.#day = day;
    this.#rendering = rendering;
  }

  /** YYYY-MM-DD. */
  get iso(): string {
    return this.#day;
  }

  override toString(): string {
    this.#text ??= this.#rendering.formats.day(this.#day);
    return this.#text;
  }

  toJSON(): string {
    return this.#day;
  }

  [Symbol.toPrimitive](hint: string): string | number {
    return hint === 'number' ? Date.parse(this.#day) : this.toString();
  }

  protected override order(other: unknown): number | undefined {
    const day = isoDay(other);
    if (day !== undefined) return this.#day < day ? -1 : Number(this.#day > day);
    if (isGiven(other)) this.#rendering.isNot(other, 'a date such as 2026-04-12');
    return undefined;
  }
}

/** An exact decimal; with a currency, an amount of money. */
export class DecimalValue extends Comparable {
  readonly #value: Exact;
  readonly #currency: string | null;
  readonly #rendering: Rendering;
  #text: string | undefined;

  constructor(value: Exact, currency: string | null, rendering: Rendering) {
    super();
    this.#value = value;
    this.#currency = currency;
    this.#rendering = rendering;
  }

  get exact(): Exact {
    return this.#value;
  }

  get currency(): string | null {
    return this.#currency;
  }

  override toString(): string {
    const { formats } = this.#rendering;
    const digits = this.#value.toFixed();
    this.#text ??= this.#currency === null ? formats.number(digits) : formats.money(digits, this.#currency);
    return this.#text;
  }

  toJSON(): string {
    return this.#value.toFixed();
  }

  [Symbol.toPrimitive](hint: string): string | number {
    return hint === 'number' ? Number(this.#value.toFixed()) : this.toString();
  }

  protected override order(other: unknown): number | undefined {
    const number = exactNumber(other);
    if (number !== undefined) return this.#value.cmp(number);
    if (isGiven(other)) this.#rendering.isNot(other, 'a number');
    return undefined;
  }
}

/** The day that a value is: of the data, or written as YYYY-MM-DD. */
export function isoDay(value: unknown): string | undefined {
  if (value instanceof DayValue) return value.iso;
  return typeof value === 'string' && ISO_DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function exactNumber(value: unknown): Exact | undefined {
  if (value instanceof DecimalValue) return value.exact;
  if (typeof value === 'number' && Number.isFinite(value)) return decimal(value);
  return typeof value === 'string' && NUMBER.test(value.trim()) ? parseDecimal(value.trim()) : undefined;
}

/** Whether a comparison is with a text, in which a mistake may be: not with nil, empty or blank. */
function isGiven(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? 'a list' : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
