/** Texts of recurring documents, in which names in double braces stand for the period: `{{ period.from }}`. */
import type { Formats } from '../../locale/formats.ts';

/** Meanings of the names, as described to clients. */
export const TEXT_NAMES = {
  'period.from': 'the first day of the period',
  'period.to': 'its last day',
  'period.month': 'the month in which it begins, in words',
  'period.quarter': 'the quarter in which it begins, 1 to 4',
  'period.year': 'the year in which it begins',
  date: 'the day on which it is due',
  number: 'the number of the document, from 1',
} as const;
type TextName = keyof typeof TEXT_NAMES;

export interface TextPeriod {
  readonly from: string;
  readonly to: string;
  readonly dueOn: string;
  /** From 1. */
  readonly number: number;
}

const NAME = /\{\{([^{}]*)\}\}/g;

/** The first name in a text that stands for nothing; undefined if there is none. */
export function unknownName(text: string): string | undefined {
  return [...text.matchAll(NAME)].map(([, name = '']) => name.trim()).find((name) => !isTextName(name));
}

/** Fills in a text in the language of its reader. */
export function fillText(text: string, period: TextPeriod, formats: Pick<Formats, 'day' | 'locale'>): string {
  return text.replaceAll(NAME, (whole: string, inner: string) => {
    const name = inner.trim();
    return isTextName(name) ? textValue(name, period, formats) : whole;
  });
}

function isTextName(name: string): name is TextName {
  return Object.hasOwn(TEXT_NAMES, name);
}

function textValue(name: TextName, period: TextPeriod, { day, locale }: Pick<Formats, 'day' | 'locale'>): string {
  switch (name) {
    case 'period.from':
      return day(period.from);
    case 'period.to':
      return day(period.to);
    case 'period.month':
      return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC', calendar: 'gregory' }).format(
        new Date(`${period.from}T00:00:00Z`),
      );
    case 'period.quarter':
      return String(Math.ceil(Number(period.from.slice(5, 7)) / 3));
    case 'period.year':
      return period.from.slice(0, 4);
    case 'date':
      return day(period.dueOn);
    case 'number':
      return String(period.number);
  }
}
