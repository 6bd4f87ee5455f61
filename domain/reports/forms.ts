/** Forms with numbered boxes, such as tax returns. */
import type { Texts } from './texts.ts';

export interface Box {
  /** As printed on the form: 07. */
  readonly number: string;
  readonly value: number | string | null;
  /** Amounts unless stated otherwise; percentages go from 0 to 100. */
  readonly kind?: 'amount' | 'percent' | 'text';
}

export interface FormLine {
  readonly label: string;
  readonly boxes: readonly Box[];
}

export interface Form {
  readonly title: string;
  readonly groups: readonly { readonly title: string; readonly lines: readonly FormLine[] }[];
}

/** A box as a row of a table. */
export interface BoxRow {
  readonly group: string;
  readonly box: string;
  readonly concept: string;
  readonly amount: number | null;
  readonly text: string | null;
}

/** The boxes of a form as rows, in the order of the form. */
export function boxRows({ groups }: Form): BoxRow[] {
  return groups.flatMap(({ title: group, lines }) =>
    lines.flatMap(({ label: concept, boxes }) =>
      boxes.map(({ number: box, value }) => ({
        group,
        box,
        concept,
        amount: typeof value === 'number' ? value : null,
        text: typeof value === 'string' ? value : null,
      })),
    ),
  );
}

export const BOX_TITLES: Readonly<Record<keyof BoxRow, Texts>> = {
  group: { en: 'Section', es: 'Apartado' },
  box: { en: 'Box', es: 'Casilla' },
  concept: { en: 'Concept', es: 'Concepto' },
  amount: { en: 'Amount', es: 'Importe' },
  text: { en: 'Text', es: 'Texto' },
};
