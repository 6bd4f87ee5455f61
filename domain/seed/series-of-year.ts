/** The default series of a year that begins: each as the one of its kind before it, with the year replaced. */
import { defaultSeries } from './defaults.ts';

/** What the series of another year passes on. */
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
 * The kinds of series that a year lacks, each with the forms that its series may take, the best first: that of the default of the
 * nearest year (an earlier one before a later one) where its prefix or suffix holds the year, and the one a new company starts with.
 * A kind whose default has no year goes on through all years and lacks nothing.
 */
export function missingSeries(year: number, known: readonly KnownSeries[]): SeriesOfYear[][] {
  return defaultSeries(year).flatMap((seed) => {
    const { docType, rectifying } = seed;
    const defaults = known.filter(
      (series) => series.isDefault && series.docType === docType && series.rectifying === rectifying,
    );
    if (defaults.some((series) => series.year === null || series.year === year)) return [];
    const form = defaults.sort((a, b) => distance(a, year) - distance(b, year)).map((near) => carriedOn(near, year))[0];
    return [[...(form ? [{ docType, rectifying, year, ...form }] : []), { suffix: '', ...seed }]];
  });
}

/** How near a series is: earlier years come before later ones. */
function distance(series: KnownSeries, year: number): number {
  const years = year - (series.year as number);
  return years > 0 ? years : 10_000 - years;
}

function carriedOn(series: KnownSeries, year: number): SeriesForm | null {
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

/** A number in a text replaced where it stands alone, not as a part of a longer one. */
function replaced(text: string, from: string, to: string): string {
  return text.replace(new RegExp(`(?<!\\d)${from}(?!\\d)`, 'g'), to);
}
