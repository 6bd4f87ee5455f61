/** Converts nested sections of annual accounts to rows of a table. */
import { decimal, sum } from '../../money.ts';

export interface Section {
  readonly code: string;
  readonly name: string;
  readonly amount: number;
  readonly previous?: number | undefined;
  /** One for each further column. */
  readonly amounts?: readonly number[] | undefined;
  /** With a budget: that of `amount`, and those of the further columns. */
  readonly budget?: number | undefined;
  readonly budgets?: readonly number[] | undefined;
  readonly children: readonly Section[];
}

/** A section as a row; its further amounts are members, see columnMember. */
export interface SectionRow extends Omit<Section, 'children' | 'amounts' | 'budgets'> {
  /** From 0. */
  readonly level: number;
  /** Indices of the rows that add up to this one; empty if there are none or they do not add up. */
  readonly parts: readonly number[];
}

/** The member of a row with the amount of a further column. @param index from 0 */
export function columnMember(index: number): string {
  return `column_${index + 1}`;
}

/** The member of a row with the budget of a further column. @param index from 0 */
export function budgetMember(index: number): string {
  return `budget_${index + 1}`;
}

/** Builds the members of a row with its further amounts. */
export function columnMembers(amounts: readonly number[] = []): Record<string, number> {
  return Object.fromEntries(amounts.map((amount, index) => [columnMember(index), amount]));
}

/** Lists the sections in depth-first order: each before its children. */
export function sectionRows(sections: readonly Section[]): SectionRow[] {
  const rows: SectionRow[] = [];
  const add = (level: number, section: Section): number => {
    const { children, amounts, budgets = [], ...members } = section;
    const budgeted = Object.fromEntries(budgets.map((amount, index) => [budgetMember(index), amount]));
    const row = { ...members, ...columnMembers(amounts), ...budgeted, level };
    const index = rows.length;
    rows.push({ ...row, parts: [] });
    const parts = children.map((child) => add(level + 1, child));
    if (addsUp(section)) rows[index] = { ...row, parts };
    return index;
  };
  for (const section of sections) add(0, section);
  return rows;
}

function addsUp(section: Section): boolean {
  const parts = section.children.map(allAmounts);
  return (
    parts.length > 0 &&
    allAmounts(section).every((amount, index) => sum(parts.map((part) => part[index] ?? 0)).eq(decimal(amount)))
  );
}

function allAmounts({ amount, previous = 0, amounts = [], budget = 0, budgets = [] }: Section): readonly number[] {
  return [amount, previous, ...amounts, budget, ...budgets];
}
