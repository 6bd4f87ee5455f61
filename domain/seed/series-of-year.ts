/** Default series of a new year: each like the previous one of its kind, with the year replaced. */
import { defaultSeries } from './defaults.ts';

/** The form that a new series takes from another year's. */
export interface SeriesForm {
  readonly name: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly padding: number;
}

export interface SeriesOfYear extends SeriesForm {
  readonly docType: string;
  readonly rectifying: boolean;
  readonly year: number;
}

export interface KnownSeries extends SeriesForm {
  readonly docType: string;
  readonly rectifying: boolean;
  readonly isDefault: boolean;
  readonly year: number | null;
}

/**
 * The kinds of series that a year lacks, each with possible forms, best first: that of the nearest year's default (earlier before later) if
 * its prefix or suffix contains the year, and that of new companies. A kind whose default has no year continues through all years and lacks
 * nothing.
 */
export function missingSeries(year: number, known: readonly KnownSeries[]): SeriesOfYear[][] {
  return defaultSeries(year).flatMap((seed) => {
    const { docType, rectifying } = seed;
    const defaults = known.filter(
      (series) => series.isDefault && series.docType === docType && series.rectifying === rectifying,
    );
    if (defaults.some((series) => series.year === null || series.year === year)) return [];
    const form = defaults
      .sort((a, b) => distance(a, year) - distance(b, year))
      .map((near) => forNextYear(near, year))[0];
    return [[...(form ? [{ docType, rectifying, year, ...form }] : []), { suffix: '', ...seed }]];
  });
}

/** Distance in years; earlier years come before later ones. */
function distance(series: KnownSeries, year: number): number {
  const years = year - (series.year as number);
  return years > 0 ? years : 10_000 - years;
}

function forNextYear(series: KnownSeries, year: number): SeriesForm | null {
  const { name, prefix, suffix, padding } = series;
  const [was, is] = [series.year as number, year].map((one) => String(one).padStart(4, '0')) as [string, string];
  for (const [from, to] of [
    [was, is],
    [was.slice(2), is.slice(2)],
  ] as const) {
    const next = { prefix: replaced(prefix, from, to), suffix: replaced(suffix, from, to), padding };
    if (next.prefix !== prefix || next.suffix !== suffix) return { name: name && replaced(name, was, is), ...next };
  }
  return null;
}

/** Replaces a number in a text where it is not part of a longer one. */
function replaced(text: string, from: string, to: string): string {
  return text.replace(new RegExp(`(?<!\\d)${from}(?!\\d)`, 'g'), to);
}
