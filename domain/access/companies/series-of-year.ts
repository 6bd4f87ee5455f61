/** Derives the default series of a new year from the previous ones, with the year replaced. */
import { defaultSeries } from './defaults.ts';

/** Attributes that a new series takes from another year's. */
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

export interface ExistingSeries extends SeriesForm {
  readonly docType: string;
  readonly rectifying: boolean;
  readonly isDefault: boolean;
  readonly year: number | null;
}

/**
 * Finds the kinds of series that a year lacks, each with candidates, best first: the form of the nearest year's default (earlier before
 * later) if its prefix or suffix contains the year, then that of new companies. A kind whose default has no year applies to all years and
 * lacks nothing.
 */
export function missingSeries(year: number, known: readonly ExistingSeries[]): SeriesOfYear[][] {
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

/** Distance in years; ranks earlier years before later ones. */
function distance(series: ExistingSeries, year: number): number {
  const years = year - (series.year as number);
  return years > 0 ? years : 10_000 - years;
}

function forNextYear(series: ExistingSeries, year: number): SeriesForm | null {
  const { name, prefix, suffix, padding } = series;
  const [was, is] = [series.year as number, year].map((one) => String(one).padStart(4, '0')) as [string, string];
  for (const [from, to] of [
    [was, is],
    [was.slice(2), is.slice(2)],
  ] as const) {
    const next = { prefix: replaceNumber(prefix, from, to), suffix: replaceNumber(suffix, from, to), padding };
    if (next.prefix !== prefix || next.suffix !== suffix)
      return { name: name && replaceNumber(name, was, is), ...next };
  }
  return null;
}

/** Replaces a number in a text where it is not part of a longer one. */
function replaceNumber(text: string, from: string, to: string): string {
  return text.replace(new RegExp(`(?<!\\d)${from}(?!\\d)`, 'g'), to);
}
