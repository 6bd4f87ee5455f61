/** Formats numbers and dates for a reader. Exact: decimals are converted from text to text. */
import { type Decimal, decimal, decimalPlaces, round } from '../money.ts';

/** Maximum decimals of unit prices, which may exceed those of amounts. */
const MAX_PRICE_PLACES = 6;
const MAX_PERCENT_PLACES = 4;
const FALLBACK = 'es-ES';

/** Languages of the service's own texts. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages whose readers know Spanish better than English. */
const SPANISH_READERS = new Set(['es', 'ca', 'eu', 'gl']);

/** Settings of the company (`config/format`). */
export interface FormatChoices {
  /** BCP 47, such as es-ES. */
  readonly locale: string;
  /** dd, MM and yyyy or yy with separators. */
  readonly dateFormat: string;
  readonly decimalPrecision: number;
  readonly quantityPrecision: number;
}

export interface Formats {
  readonly language: Language;
  /** BCP 47, of numbers and names of months. */
  readonly locale: string;
  /** With the company's decimals for amounts. */
  readonly amount: (value: Decimal) => string;
  /** An amount with the currency symbol. */
  readonly money: (value: Decimal, currency: string) => string;
  /** At least the decimals of amounts, at most six. */
  readonly price: (value: Decimal) => string;
  /** Without trailing zeros. */
  readonly quantity: (value: Decimal) => string;
  /** With all its decimals. */
  readonly number: (value: Decimal) => string;
  /** In a chosen form; with the company's decimals and separated thousands unless said otherwise. */
  readonly decimals: (value: Decimal, form: NumberForm) => string;
  /** From 21 for 21 %, with at least `least` decimals. */
  readonly percent: (value: Decimal, least?: number) => string;
  /** From YYYY-MM-DD. */
  readonly day: (value: string) => string;
  /** The name of a country by its ISO 3166 code. */
  readonly country: (code: string) => string;
}

/** A form of numbers. */
export interface NumberForm {
  readonly style: 'decimal' | 'currency';
  readonly currency?: string;
  readonly places?: number;
  readonly grouped?: boolean;
}

/**
 * Chooses language and formats: those of the reader's language if set, otherwise the company's. If the service has no texts in that
 * language, they are English, with numbers and dates of the reader's locale.
 * @param readerLanguage such as es or en-GB; null or an invalid tag means the company's
 */
export function formatsFor(choices: FormatChoices, readerLanguage: string | null): Formats {
  const own = isUsable(choices.locale) ?? FALLBACK;
  const locale = regional(isUsable(readerLanguage ?? '') ?? own, own);
  const language = readersLanguage(locale);
  const numbers = numberFormatter(locale);
  const places = (value: Decimal, min: number, max: number) => Math.min(Math.max(decimalPlaces(value), min), max);
  const { decimalPrecision, quantityPrecision } = choices;
  const countries = new Intl.DisplayNames([language], { type: 'region' });
  return {
    language,
    locale,
    amount: (value) => numbers(value, decimalPrecision),
    money: (value, currency) => numbers(value, decimalPrecision, { style: 'currency', currency }),
    price: (value) => numbers(value, places(value, decimalPrecision, Math.max(decimalPrecision, MAX_PRICE_PLACES))),
    quantity: (value) => numbers(value, places(value, 0, quantityPrecision)),
    number: (value) => numbers(value, decimalPlaces(value)),
    decimals: (value, { places = decimalPrecision, grouped = true, ...style }) =>
      numbers(value, places, { ...style, ...(grouped ? {} : { useGrouping: false }) }),
    percent: (value, least = 0) => {
      const share = decimal(value).times('0.01').toFixed();
      // Two decimals fewer than the fraction itself.
      return numbers(share, places(value, least, MAX_PERCENT_PLACES), { style: 'percent' });
    },
    // The company's date format applies to its own language only.
    day:
      localeLanguage(locale) === localeLanguage(own)
        ? (day) => formatPattern(choices.dateFormat, day)
        : localeDay(locale, language),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}

/** The service's language that a reader of a locale knows best. */
export function readersLanguage(locale: string): Language {
  return SPANISH_READERS.has(localeLanguage(locale)) ? 'es' : 'en';
}

function numberFormatter(locale: string) {
  const made = new Map<string, Intl.NumberFormat>();
  return (value: Decimal, places: number, style: Intl.NumberFormatOptions = { style: 'decimal' }): string => {
    const key = `${places} ${style.style} ${style.currency} ${style.useGrouping}`;
    let format = made.get(key);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: places,
        maximumFractionDigits: places,
        numberingSystem: 'latn',
        signDisplay: 'negative', // no minus before what is rounded to zero
        useGrouping: 'always', // es-ES would leave 1234,50 without a point
        ...style,
      } as Intl.NumberFormatOptions);
      made.set(key, format);
    }
    const exact = style.style === 'percent' ? value : round(value, places);
    return format.format(exact as unknown as number); // Decimal texts are formatted exactly.
  };
}

const DAY_PARTS = /yyyy|yy|MM|dd/g;

/** Whether a text is a pattern of days: dd, MM and yyyy or yy with separators. */
export function isDayPattern(pattern: string): boolean {
  return /yy|MM|dd/.test(pattern) && !/\p{L}/u.test(pattern.replaceAll(DAY_PARTS, ''));
}

/** Formats a day, YYYY-MM-DD, by a pattern such as dd/MM/yyyy. */
export function formatPattern(pattern: string, value: string): string {
  const [year = '', month = '', day = ''] = value.split('-');
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(-2), MM: month, dd: day };
  return pattern.replaceAll(DAY_PARTS, (part) => parts[part] ?? part);
}

/** With the month's name if the texts are in the reader's language: 03/02 is ambiguous in English. */
function localeDay(locale: string, language: Language): (value: string) => string {
  const month = localeLanguage(locale) === language ? 'short' : '2-digit';
  const format = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month,
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  });
  return (value) => format.format(new Date(`${value}T00:00:00Z`));
}

/** Adds to a bare language the company's region, or its usual one in Europe. */
function regional(locale: string, own: string): string {
  if (locale.includes('-')) return locale;
  if (own.startsWith(`${locale}-`)) return own;
  return locale === 'en' ? 'en-GB' : locale === 'es' ? 'es-ES' : locale;
}

function localeLanguage(locale: string): string {
  return locale.split('-')[0]?.toLowerCase() ?? '';
}

function isUsable(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf([locale])[0];
  } catch {
    return undefined; // Not a language tag; try the next choice.
  }
}
