/** Printed forms of tax returns: groups of lines, each with its boxes. */

import type { BoxValues } from '../../ledger/tax-returns/boxes.ts';
import type { Language } from '../../locale/formats.ts';
import type { Form } from '../engine/forms.ts';
import type { Texts } from '../engine/texts.ts';

export interface FormLayout {
  readonly title: Texts;
  readonly groups: readonly LayoutGroup[];
  /** Whether lines without amounts are left out on paper. */
  readonly brief?: boolean;
}

export interface LayoutGroup {
  readonly title: Texts;
  /** Titles of its columns of boxes. */
  readonly heads?: readonly Texts[];
  readonly lines: readonly LayoutLine[];
}

export interface LayoutLine {
  readonly label: Texts;
  readonly boxes: readonly string[];
  /** Whether its zeros are shown. */
  readonly total?: boolean;
}

const BASE: Texts = { es: 'Base imponible', en: 'Base' };
const RATE: Texts = { es: 'Tipo %', en: 'Rate %' };
const TAX: Texts = { es: 'Cuota', en: 'Tax' };
export const BASE_TAX = [BASE, TAX];
export const BASE_RATE_TAX = [BASE, RATE, TAX];

/** Declares a line: Spanish and English label, numbers of boxes. */
export function line(es: string, en: string, boxes: string): LayoutLine {
  return { label: { es, en }, boxes: boxes.split(' ') };
}

/** Declares a line of a total or result, which shows its zeros. */
export function total(es: string, en: string, boxes: string): LayoutLine {
  return { ...line(es, en, boxes), total: true };
}

export function lines(es: string, en: string, ...contained: readonly LayoutLine[]): LayoutGroup {
  return { title: { es, en }, lines: contained };
}

interface Filled {
  readonly values: BoxValues;
  /** Boxes of percentages. */
  readonly percents: ReadonlySet<string>;
  /** Boxes that count people. */
  readonly counts?: ReadonlySet<string>;
  readonly language: Language;
  readonly money: (value: `${number}`) => number;
}

/** Declares a group whose columns have titles. */
export function columns(
  es: string,
  en: string,
  heads: readonly Texts[],
  ...contained: readonly LayoutLine[]
): LayoutGroup {
  return { ...lines(es, en, ...contained), heads };
}

/** Fills a layout with values; lines without any shown box are omitted. */
export function fillForm(
  { title, groups, brief }: FormLayout,
  { values, percents, counts, language, money }: Filled,
): Form {
  const shown = ({ boxes }: LayoutLine) => boxes.filter((box) => values[box] !== undefined);
  return {
    title: title[language],
    brief,
    groups: groups
      .map((group) => ({
        title: group.title[language],
        heads: group.heads?.map((head) => head[language]),
        lines: group.lines
          .filter((each) => shown(each).length > 0)
          .map((each) => ({
            label: each.label[language],
            total: each.total,
            boxes: shown(each).map((number) => {
              const value = values[number] ?? '0';
              if (percents.has(number)) return { number, value: Number(value), kind: 'percent' as const };
              if (counts?.has(number)) return { number, value: Number(value), kind: 'count' as const };
              return { number, value: money(value) };
            }),
          })),
      }))
      .filter((group) => group.lines.length > 0),
  };
}
