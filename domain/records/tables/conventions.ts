/** A company's conventions for tables (CSV): separators, dates, time zone. */

export interface TableConventions {
  /** Separates the fields of a CSV line. */
  readonly separator: ',' | ';';
  readonly decimalSign: '.' | ',';
  /** dd, MM and yyyy (or yy) with separators, as in the format settings. */
  readonly dateFormat: string;
  /** IANA zone in which instants are written. */
  readonly timezone: string;
}

/**
 * Derives the conventions from a company's format settings. With a decimal comma, fields are separated by semicolons, as in spreadsheets.
 * Years always have four digits, because two could not be read back.
 */
export function tableConventions(format: {
  readonly locale: string;
  readonly dateFormat: string;
  readonly timezone: string;
}): TableConventions {
  const decimalSign = usesComma(format.locale) ? ',' : '.';
  return {
    separator: decimalSign === ',' ? ';' : ',',
    decimalSign,
    dateFormat: format.dateFormat.replace(/(?<!y)yy(?!y)/, 'yyyy'),
    timezone: format.timezone,
  };
}

function usesComma(locale: string): boolean {
  // Always Latin digits: other programs do not read other scripts as numbers.
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}
