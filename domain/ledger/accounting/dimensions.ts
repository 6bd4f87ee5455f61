/** The dimensions of entered amounts, cost center and project: who names them, and what accounts require. */

/** Requirements of accounts for each line that is entered on them. */
export const REQUIREMENTS = ['none', 'cost_center', 'project', 'both'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** The cost center and the project of an amount. */
export interface Dimensions {
  readonly costCenterId: string | null;
  readonly projectId: string | null;
}

export const DIMENSIONS = ['costCenterId', 'projectId'] as const satisfies readonly (keyof Dimensions)[];

const REQUIRED: Readonly<Record<Requirement, readonly (keyof Dimensions)[]>> = {
  none: [],
  cost_center: ['costCenterId'],
  project: ['projectId'],
  both: DIMENSIONS,
};

/** The dimensions that an account requires and an amount lacks. */
export function lackingDimensions(requires: Requirement, given: Dimensions): readonly (keyof Dimensions)[] {
  return REQUIRED[requires].filter((member) => given[member] === null);
}

/** Each dimension of the first that names it: the line before the document, the item, the partner and the company. */
export function firstDimensions(...named: readonly (Partial<Dimensions> | null | undefined)[]): Dimensions {
  const first = (member: keyof Dimensions) => named.find((one) => one?.[member])?.[member] ?? null;
  return { costCenterId: first('costCenterId'), projectId: first('projectId') };
}

/** Dimensions that all amounts share; null for one in which they differ. */
export function commonDimensions(amounts: readonly Dimensions[]): Dimensions {
  const common = (member: keyof Dimensions) => {
    const [first = null, ...others] = new Set(amounts.map((amount) => amount[member]));
    return others.length === 0 ? first : null;
  };
  return { costCenterId: common('costCenterId'), projectId: common('projectId') };
}
