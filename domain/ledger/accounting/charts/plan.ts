/** Works out what bringing a chart into a company does to its accounts (decision 0341). */
import { Faults } from '../../../faults.ts';
import type { AccountRole } from '../roles.ts';
import type { AccountType, ChartAccount } from './chart.ts';

/** An account of the chart. */
export interface ChartRow {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly isHeading?: boolean;
  /** Code of the heading above; by default the one with the longest code that begins the account's. */
  readonly parent?: string | null;
  /** Uses of the account by the company from now on. */
  readonly roles?: readonly AccountRole[];
}

/** An account that the company has. */
export interface KnownAccount extends ChartAccount {
  /** Whether there are entries on it. */
  readonly used: boolean;
}

/** `kept`: the account differs, but has entries, or accounts below it that need it as a heading. */
export type Outcome = 'created' | 'changed' | 'unchanged' | 'kept';

/** An account as it will be. */
export interface PlannedAccount extends ChartAccount {
  readonly outcome: Outcome;
}

/**
 * Plans each row.
 * @returns accounts by code
 * @throws ServiceError validation_failed for codes twice, parents that will be no headings, and cycles
 */
export function planChart(rows: readonly ChartRow[], known: readonly KnownAccount[]): PlannedAccount[] {
  const faults = new Faults();
  const now = new Map(known.map((account) => [account.code, account]));
  const withChildren = new Set(known.map(({ parent }) => parent));
  const outcomes = rows.map((row) => rowOutcome(row, now.get(row.code), withChildren));
  const headings = new Set(known.filter(({ isHeading }) => isHeading).map(({ code }) => code));
  for (const [index, { code, isHeading = false }] of rows.entries()) {
    if (!isWritten(outcomes[index])) continue;
    if (isHeading) headings.add(code);
    else headings.delete(code);
  }
  const above = new Map(known.map(({ code, parent }) => [code, parent]));
  const seen = new Set<string>();
  for (const [index, { code, parent }] of rows.entries()) {
    if (seen.has(code)) faults.add(`/accounts/${index}/code`, 'duplicate', 'is the code of an account above');
    seen.add(code);
    if (parent != null && (!headings.has(parent) || parent === code))
      faults.add(`/accounts/${index}/parent`, 'invalid_reference', 'must be the code of a heading');
    if (isWritten(outcomes[index])) above.set(code, parent === undefined ? nearest(code, headings) : parent);
  }
  faults.throwIfAny();
  const endless = codesOfCycles(above);
  for (const [index, { code }] of rows.entries()) {
    if (endless.has(code)) faults.add(`/accounts/${index}/parent`, 'cycle', 'is the account itself or below it');
  }
  faults.throwIfAny();
  return rows
    .map(({ code, name, type, isHeading = false }, index) => {
      return { code, name, type, isHeading, parent: above.get(code) ?? null, outcome: outcomes[index] ?? 'kept' };
    })
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** Whether an account is written as the chart has it. */
export function isWritten(outcome: Outcome | undefined): boolean {
  return outcome === 'created' || outcome === 'changed';
}

function rowOutcome(
  { name, type, isHeading = false }: ChartRow,
  current: KnownAccount | undefined,
  withChildren: ReadonlySet<string | null>,
): Outcome {
  if (current === undefined) return 'created';
  if (current.name === name && current.type === type && current.isHeading === isHeading) return 'unchanged';
  const needed = current.isHeading && !isHeading && withChildren.has(current.code);
  return current.used || needed ? 'kept' : 'changed';
}

function nearest(code: string, headings: ReadonlySet<string>): string | null {
  for (let length = code.length - 1; length > 0; length--) {
    if (headings.has(code.slice(0, length))) return code.slice(0, length);
  }
  return null;
}

/** Finds the accounts that would have no end above them. */
function codesOfCycles(above: ReadonlyMap<string, string | null>): Set<string> {
  const ends = new Set<string | null>([null]);
  const endless = new Set<string>();
  for (const start of above.keys()) {
    const path: string[] = [];
    const walked = new Set<string>();
    let code: string | null = start;
    while (code !== null && !ends.has(code) && !endless.has(code) && !walked.has(code)) {
      walked.add(code);
      path.push(code);
      code = above.get(code) ?? null;
    }
    for (const passed of path) (ends.has(code) ? ends : endless).add(passed);
  }
  return endless;
}
