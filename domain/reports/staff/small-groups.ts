/** Groups of people in reports that are too small to show: their sums would reveal what a person earns (decision 0229). */

/** The least number of people whose sum may be shown to everybody who reads the report. */
export const LEAST_PEOPLE = 3;

interface Group {
  readonly people: number;
  /** Decides between groups of the same size, and never changes. */
  readonly key: string;
}

/**
 * Separates the groups that may be shown one by one from those that are shown as one sum. The sum takes in the smallest of the others until
 * it stands for enough people, because a total less what is shown would reveal it otherwise.
 */
export function foldSmallGroups<G extends Group>(
  groups: readonly G[],
): { readonly shown: readonly G[]; readonly folded: readonly G[] } {
  const folded = groups.filter(({ people }) => people < LEAST_PEOPLE);
  const large = groups.filter(({ people }) => people >= LEAST_PEOPLE);
  const smallest = large.toSorted((one, other) => one.people - other.people || (one.key < other.key ? -1 : 1))[0];
  if (folded.length > 0 && !areEnough(folded) && smallest !== undefined) folded.push(smallest);
  return { shown: groups.filter((group) => !folded.includes(group)), folded };
}

/** Tells whether the sum of groups stands for enough people to be shown. */
export function areEnough(groups: readonly Group[]): boolean {
  return groups.reduce((sum, { people }) => sum + people, 0) >= LEAST_PEOPLE;
}
