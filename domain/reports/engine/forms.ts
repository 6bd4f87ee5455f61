/** Forms with numbered boxes, such as tax returns. */
import type { Texts } from './texts.ts';

export interface Box {
  /** As printed on the form (07); empty if it has none. */
  readonly number: string;
  readonly value: number | string | null;
  /** Amounts unless stated otherwise; percentages range from 0 to 100, counts are of people and the like. */
  readonly kind?: 'amount' | 'percent' | 'count' | 'text';
}

export interface FormLine {
  readonly label: string;
  readonly boxes: readonly Box[];
  /** Whether zeros are shown, as in totals and results; other boxes stay blank. */
  readonly total?: boolean | undefined;
}

/** A line of texts, blank where there are none. */
export function textLine(label: string, ...texts: (string | number | null)[]): FormLine {
  return { label, boxes: texts.map((text) => ({ number: '', value: String(text ?? ''), kind: 'text' })) };
}

export interface FormGroup {
  readonly title: string;
  /** Titles of its columns of boxes, such as base, rate and tax. */
  readonly heads?: readonly string[] | undefined;
  readonly lines: readonly FormLine[];
  /** Whether it takes half of the paper's width, beside another one. */
  readonly half?: boolean | undefined;
}

export interface Form {
  readonly title: string;
  /** Notes in addition to its boxes. */
  readonly notes?: readonly string[];
  readonly groups: readonly FormGroup[];
  /** Closing lines on paper, such as the place for a signature. */
  readonly closing?: readonly string[] | undefined;
  /** Whether lines without amounts are left out on paper. */
  readonly brief?: boolean | undefined;
  /** Whether its lines are narrower, to fit on one page. */
  readonly dense?: boolean | undefined;
  /** Whether it begins a page, to be signed and filed alone. */
  readonly ownPage?: boolean | undefined;
}

/** A box as a row of a table. */
export interface BoxRow {
  readonly group: string;
  readonly box: string;
  readonly concept: string;
  readonly amount: number | null;
  readonly text: string | null;
}

/** Lists the boxes of a form as rows, in the form's order. */
export function boxRows({ groups }: Form): BoxRow[] {
  return groups.flatMap((group) =>
    group.lines.flatMap((line) =>
      inColumns(group, line).flatMap((box, column) => {
        if (box === null) return [];
        const head = group.heads?.[column];
        return {
          group: group.title,
          box: box.number,
          concept: head === undefined ? line.label : `${line.label}: ${head}`,
          amount: typeof box.value === 'number' ? box.value : null,
          text: typeof box.value === 'string' ? box.value : null,
        };
      }),
    ),
  );
}

/**
 * Arranges the boxes of a line in the columns of its group, with null for missing ones: a line with fewer boxes has its base at the left
 * and its tax at the right.
 */
export function inColumns({ heads = [], lines }: FormGroup, { boxes }: FormLine): (Box | null)[] {
  const columns = Math.max(heads.length, ...lines.map((line) => line.boxes.length));
  const gaps = Array.from({ length: columns - boxes.length }, () => null);
  return [...boxes.slice(0, -1), ...gaps, ...boxes.slice(-1)];
}

/** Prepares a form for printing: a brief one omits lines with nothing to show. */
export function onPaper({ groups, brief = false, ...form }: Form): Form {
  if (!brief) return { ...form, groups };
  const says = ({ boxes, total }: FormLine) =>
    total === true || boxes.some(({ value, kind }) => kind !== 'percent' && value !== 0);
  const kept = groups.map((group) => ({ ...group, lines: group.lines.filter(says) }));
  return { ...form, groups: kept.filter(({ lines }) => lines.length > 0), brief };
}

export const BOX_TITLES: Readonly<Record<keyof BoxRow, Texts>> = {
  group: { en: 'Section', es: 'Apartado' },
  box: { en: 'Box', es: 'Casilla' },
  concept: { en: 'Concept', es: 'Concepto' },
  amount: { en: 'Amount', es: 'Importe' },
  text: { en: 'Text', es: 'Texto' },
};
