/** Nested sections of a report: their schema, and their table in files. */
import { Type } from 'typebox';
import { budgetMember, columnMember, type Section, sectionRows } from '../../../domain/reports/engine/sections.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { amount, integer, nullable, text } from '../../platform/validation/schemas.ts';
import { percent, type ReportTable } from './declaration.ts';

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
  /** Whether the sections have a budget. Those of further columns stand beside them if there are few, those of the whole at the end. */
  readonly budgeted?: boolean;
  /** Whether `amount` is not shown beside further columns, because it repeats one of them. */
  readonly withoutTotal?: boolean;
}

/** Beside more further columns their budgets would fit on no page. */
const MOST_WITH_BUDGETS = 6;

/** Columns of a budget beside the amounts. */
const BUDGET = { budget: amount(), variance: amount(), percent: nullable(percent()) };

/** Builds an indented table of the sections; a section is a formula over its children if they add up to it. */
export function sectionTable(table: SectionTable): ReportTable {
  const { sections, title, titles, amounts, budgeted = false, withoutTotal = false } = table;
  const beside = budgeted && (amounts ?? []).length <= MOST_WITH_BUDGETS;
  const further = (amounts ?? []).flatMap((text, index) => {
    const budget = { en: `${text.en} budget`, es: `${text.es} presupuesto` };
    return [[columnMember(index), text] as const, ...(beside ? [[budgetMember(index), budget] as const] : [])];
  });
  const members = further.map(([member]) => member);
  const whole = [
    ...(withoutTotal && amounts !== undefined ? [] : ['amount']),
    ...(budgeted ? Object.keys(BUDGET) : []),
  ];
  return {
    title,
    row: Type.Object({
      ...ROW.properties,
      ...BUDGET,
      ...Object.fromEntries(members.map((member) => [member, amount()])),
    }),
    columns: ['code', 'name', ...members, ...whole, ...(amounts === undefined ? ['previous'] : [])],
    titles: { ...titles, ...Object.fromEntries(further) },
    rows: sectionRows(sections),
    tree: true,
  };
}
