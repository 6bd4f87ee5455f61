/** Numbers and days as the reader of a document writes them. Exact: decimals go from text to text. */
import { DateTime } from 'luxon';
import { type Decimal, decimalPlaces, round } from '../../domain/money.ts';

const MAX_PRICE_PLACES = 6;

export type Language = 'es' | 'en';

export interface Formats {
  readonly language: Language;
  readonly money: (value: Decimal) => string;
  readonly quantity: (value: Decimal) => string;
  /** Unit prices keep up to six decimals, at least those of amounts; all of a document have as many as the longest needs. */
  readonly prices: (values: readonly Decimal[]) => string[];
  readonly percent: (value: Decimal) => string;
  /** From YYYY-MM-DD. */
  readonly day: (value: string) => string;
}

/**
 * Chooses language and forms: those of the partner's language where one is set, else the company's locale.
 * @param locale BCP 47, such as es-ES
 * @param partnerLanguage such as es or en-GB; null = the company's
 */
export function formatsFor(
  settings: {
    readonly locale: string;
    readonly dateFormat: string;
    readonly decimalPrecision: number;
    readonly quantityPrecision: number;
  },
  partnerLanguage: string | null,
): Formats {
  const own = usable(settings.locale) ?? 'es-ES';
  const locale = regional(usable(partnerLanguage ?? '') ?? own, own);
  const language = locale.toLowerCase().startsWith('es') ? 'es' : 'en';
  const numbers = (value: Decimal, least: number, most: number) => {
    const places = Math.min(Math.max(decimalPlaces(value), least), most);
    return new Intl.NumberFormat(locale, {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
      useGrouping: 'always' as never, // es-ES would leave 1234,50 without a point
    }).format(round(value, places) as unknown as number); // decimal text is formatted exactly
  };
  const { decimalPrecision, quantityPrecision } = settings;
  // The company's own form of dates is for readers of its own language.
  const pattern = locale.split('-')[0] === own.split('-')[0] ? settings.dateFormat : 'dd LLL yyyy';
  return {
    language,
    money: (value) => numbers(value, decimalPrecision, decimalPrecision),
    quantity: (value) => numbers(value, 0, quantityPrecision),
    prices: (values) => {
      const places = Math.max(
        decimalPrecision,
        ...values.map((value) => Math.min(decimalPlaces(value), MAX_PRICE_PLACES)),
      );
      return values.map((value) => numbers(value, places, places));
    },
    percent: (value) => `${numbers(value, 0, 4)} %`,
    day: (value) => DateTime.fromISO(value, { zone: 'utc' }).setLocale(locale).toFormat(pattern),
  };
}

/** A bare language takes the company's region, or the one that is usual in Europe. */
function regional(locale: string, own: string): string {
  if (locale.includes('-')) return locale;
  if (own.startsWith(`${locale}-`)) return own;
  return locale === 'en' ? 'en-GB' : locale === 'es' ? 'es-ES' : locale;
}

function usable(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf([locale])[0];
  } catch {
    return undefined; // not a language tag; the next choice is taken
  }
}
