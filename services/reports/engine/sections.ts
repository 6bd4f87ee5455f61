/** Nested sections of a report: their schema, and their table in files. */
import { Type } from 'typebox';
import { columnMember, type Section, sectionRows } from '../../../domain/reports/engine/sections.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { amount, integer, text } from '../../platform/validation/schemas.ts';
import type { ReportTable } from './declaration.ts';

const columns = {
  code: text({ min: 0, description: 'The heading of the annual accounts' }),
  name: text({ max: 500 }),
  amount: amount(),
  previous: amount({ description: 'The same of the period before' }),
};

/** Adds one level of nesting each time: JSON schemas of answers have no references here. */
const withChildren = (levels: number): ReturnType<typeof Type.Object> =>
  Type.Object({ ...columns, children: Type.Array(levels === 0 ? Type.Object(columns) : withChildren(levels - 1)) });

/** Nested sections, at most four levels. */
export const SECTIONS = Type.Unsafe<Section[]>(Type.Array(withChildren(4)));

const ROW = Type.Object({ level: integer(), ...columns });

interface SectionTable {
  readonly sections: readonly Section[];
  readonly title?: Texts;
  readonly titles?: ReportTable['titles'];
  /** Titles of further columns, which the sections have as `amounts`; they come before `amount`, in the place of `previous`. */
  readonly amounts?: readonly Texts[] | undefined;
  /** Whether `amount` is not shown beside further columns, because it repeats one of them. */
  readonly withoutTotal?: boolean;
}

/** Builds an indented table of the sections; a section is a formula over its children if they add up to it. */
export function sectionTable(table: SectionTable): ReportTable {
  const { sections, title, titles, amounts, withoutTotal = false } = table;
  const usual = { title, row: ROW, titles, rows: sectionRows(sections), tree: true };
  if (amounts === undefined) return usual;
  const further = amounts.map((text, index) => [columnMember(index), text] as const);
  return {
    ...usual,
    row: Type.Object({ ...ROW.properties, ...Object.fromEntries(further.map(([member]) => [member, amount()])) }),
    columns: ['code', 'name', ...further.map(([member]) => member), ...(withoutTotal ? [] : ['amount'])],
    titles: { ...titles, ...Object.fromEntries(further) },
  };
}
