/** Children and ascendants of employees, as model 190 counts them. */
import type { Design } from './fixed-width.ts';

/** Positions of the numbers in the record of a recipient; those `InFull` are of whom nobody else deducts. */
export const FAMILY_190 = {
  childrenUnderThree: [223, 1, 'digits'],
  childrenUnderThreeInFull: [224, 1, 'digits'],
  otherChildren: [225, 2, 'digits'],
  otherChildrenInFull: [227, 2, 'digits'],
  disabledChildren: [229, 2, 'digits'],
  disabledChildrenInFull: [231, 2, 'digits'],
  helpedChildren: [233, 2, 'digits'],
  helpedChildrenInFull: [235, 2, 'digits'],
  severelyDisabledChildren: [237, 2, 'digits'],
  severelyDisabledChildrenInFull: [239, 2, 'digits'],
  ascendantsUnder75: [241, 1, 'digits'],
  ascendantsUnder75InFull: [242, 1, 'digits'],
  ascendantsFrom75: [243, 1, 'digits'],
  ascendantsFrom75InFull: [244, 1, 'digits'],
  disabledAscendants: [245, 1, 'digits'],
  disabledAscendantsInFull: [246, 1, 'digits'],
  helpedAscendants: [247, 1, 'digits'],
  helpedAscendantsInFull: [248, 1, 'digits'],
  severelyDisabledAscendants: [249, 1, 'digits'],
  severelyDisabledAscendantsInFull: [250, 1, 'digits'],
  firstChild: [251, 1, 'digits'],
  secondChild: [252, 1, 'digits'],
  thirdChild: [253, 1, 'digits'],
} as const satisfies Design;

export type FamilyCounts = Readonly<Record<keyof typeof FAMILY_190, number>>;

interface Disabled {
  /** 0, 33 or 65 percent. */
  readonly disability: number;
  readonly needsHelp: boolean;
}

/** Children and ascendants as an employee has declared them. */
export interface DeclaredFamily {
  readonly familySituation: number;
  readonly children: number;
  readonly childrenUnderThree: number;
  readonly childrenInFull: boolean;
  readonly disabledChildren: readonly Disabled[];
  readonly ascendants: readonly (Disabled & { readonly birthYear: number; readonly sharedBy: number })[];
}

/** Marks of a child who is deducted in full, or by half. */
const FULL = 1;
const HALF = 2;
/** The age from which ascendants are counted apart. */
const OLD = 75;
/** Most that a field of one digit holds. */
const MOST = 9;

/** Classes of disability: 0 none, 1 from 33 %, 2 the same with need of help, 3 from 65 % on. */
export function disabilityClass({ disability, needsHelp }: Disabled): 0 | 1 | 2 | 3 {
  if (disability === 0) return 0;
  if (disability === 65) return 3;
  return needsHelp ? 2 : 1;
}

/** Counts children and ascendants. @param year of the return, at whose end ages are those that count */
export function countFamily(family: DeclaredFamily, year: number): FamilyCounts {
  const { familySituation, children, childrenUnderThree, disabledChildren, ascendants } = family;
  const isInFull = family.childrenInFull || familySituation === 1;
  const inFull = (count: number) => (isInFull ? count : 0);
  const under = Math.min(childrenUnderThree, MOST);
  const disabled = (of: readonly Disabled[], wanted: 1 | 2 | 3) =>
    of.filter((each) => disabilityClass(each) === wanted).length;
  const alone = ascendants.filter(({ sharedBy }) => sharedBy === 1);
  const old = (of: DeclaredFamily['ascendants']) => of.filter(({ birthYear }) => year - birthYear >= OLD).length;
  const mark = (nth: number) => (children < nth ? 0 : isInFull ? FULL : HALF);
  return {
    childrenUnderThree: under,
    childrenUnderThreeInFull: inFull(under),
    otherChildren: children - childrenUnderThree,
    otherChildrenInFull: inFull(children - childrenUnderThree),
    disabledChildren: disabled(disabledChildren, 1),
    disabledChildrenInFull: inFull(disabled(disabledChildren, 1)),
    helpedChildren: disabled(disabledChildren, 2),
    helpedChildrenInFull: inFull(disabled(disabledChildren, 2)),
    severelyDisabledChildren: disabled(disabledChildren, 3),
    severelyDisabledChildrenInFull: inFull(disabled(disabledChildren, 3)),
    ascendantsUnder75: ascendants.length - old(ascendants),
    ascendantsUnder75InFull: alone.length - old(alone),
    ascendantsFrom75: old(ascendants),
    ascendantsFrom75InFull: old(alone),
    disabledAscendants: disabled(ascendants, 1),
    disabledAscendantsInFull: disabled(alone, 1),
    helpedAscendants: disabled(ascendants, 2),
    helpedAscendantsInFull: disabled(alone, 2),
    severelyDisabledAscendants: disabled(ascendants, 3),
    severelyDisabledAscendantsInFull: disabled(alone, 3),
    firstChild: mark(1),
    secondChild: mark(2),
    thirdChild: mark(3),
  };
}
