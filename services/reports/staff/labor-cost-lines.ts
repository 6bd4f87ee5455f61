/** Lines of the labor cost report: departments, or one for those too small to be shown alone (decision 0229). */
import { groupBy } from '../../../domain/group-by.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import type { Decimal } from '../../../domain/money.ts';
import { areEnough, foldSmallGroups } from '../../../domain/reports/staff/small-groups.ts';
import { departmentName } from './departments.ts';

/** The cost of a department in a month. */
export interface DepartmentCost {
  /** The department's id; empty for those who are in none. */
  readonly key: string;
  readonly departmentId: string | null;
  readonly name: string | null;
  readonly year: number;
  readonly month: number;
  /** The cost center or project, where these are told apart. */
  readonly dimensionId: string | null;
  readonly people: number;
  readonly gross: Decimal;
  readonly severance: Decimal;
  readonly contributions: Decimal;
  /** Whether payrolls count that were cancelled, here or in a later month. */
  readonly hasCancelled: boolean;
}

/** A line of the report: one department or several. */
export interface CostLine {
  readonly dimensionId: string | null;
  readonly departmentId: string | null;
  readonly name: string;
  readonly year: number;
  readonly month: number;
  /** Null: of too few people to be shown. */
  readonly costs: readonly DepartmentCost[] | null;
}

const OTHERS = { en: 'Other departments', es: 'Otros departamentos' } as const;

/** A line for each department, for those who may read what individuals earn. */
export function openLines(found: readonly DepartmentCost[], asked: string | null, language: Language): CostLine[] {
  return found
    .filter(({ departmentId }) => asked === null || departmentId === asked)
    .map((cost) => ({ ...cost, name: departmentName(cost.name, language), costs: [cost] }));
}

/**
 * Lines from whose sums and differences nobody's pay follows. Each month is divided in the same way whatever is asked for, so that answers
 * to different requests cannot be compared either.
 */
export function protectedLines(found: readonly DepartmentCost[], asked: string | null, language: Language): CostLine[] {
  return [...groupBy(found, ({ year, month }) => `${year}-${month}`).values()].flatMap((costs) => {
    const { shown, folded } = foldSmallGroups(costs);
    const lines = openLines(shown, asked, language);
    const [first] = asked === null ? folded : folded.filter(({ departmentId }) => departmentId === asked);
    if (first === undefined) return lines;
    const alone = { ...first, name: departmentName(first.name, language), costs: null };
    const together = { ...first, departmentId: null, name: OTHERS[language], costs: areEnough(folded) ? folded : null };
    return [...lines, asked === null ? together : alone];
  });
}
