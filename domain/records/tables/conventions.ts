/** A company's format of tables (CSV): separators, dates, time zone. */

export interface TableConventions {
  /** Between the fields of a CSV line. */
  readonly separator: ',' | ';';
  readonly decimalSign: '.' | ',';
  /** dd, MM and yyyy (or yy) with separators, as in the format settings. */
  readonly dateFormat: string;
  /** IANA zone in which instants are written. */
  readonly timezone: string;
}

/**
 * The conventions of a company's format settings. With a decimal comma, fields are separated by semicolons, as spreadsheets do. Years
 * always have four digits: two could not be read back.
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
  // Always Latin digits: other scripts are not read as numbers elsewhere.
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}
