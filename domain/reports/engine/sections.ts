/** Converts nested sections of annual accounts to rows of a table. */
import { decimal, sum } from '../../money.ts';

export interface Section {
  readonly code: string;
  readonly name: string;
  readonly amount: number;
  readonly previous: number;
  readonly children: readonly Section[];
}

/** A section as a row. */
export interface SectionRow extends Omit<Section, 'children'> {
  /** From 0. */
  readonly level: number;
  /** Indices of the rows that add up to this one; empty if there are none or they do not add up. */
  readonly parts: readonly number[];
}

/** Lists the sections in depth-first order: each before its children. */
export function sectionRows(sections: readonly Section[]): SectionRow[] {
  const rows: SectionRow[] = [];
  const add = (level: number, { children, ...section }: Section): number => {
    const index = rows.length;
    rows.push({ ...section, level, parts: [] });
    const parts = children.map((child) => add(level + 1, child));
    if (addsUp(section, children)) rows[index] = { ...section, level, parts };
    return index;
  };
  for (const section of sections) add(0, section);
  return rows;
}

function addsUp(section: Omit<Section, 'children'>, children: readonly Section[]): boolean {
  const agrees = (of: 'amount' | 'previous') => sum(children.map((child) => child[of])).eq(decimal(section[of]));
  return children.length > 0 && agrees('amount') && agrees('previous');
}
