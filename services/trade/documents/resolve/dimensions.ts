/** Cost center and project of a document's lines: named, of the base, or defaults of item, partner and company (decision 0343). */
import type { Faults } from '../../../../domain/faults.ts';
import { DIMENSIONS, type Dimensions, firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { addClosed } from '../../../ledger/accounting/dimension-rules.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type { BaseDocument, BaseLine, ItemReference, References } from './references.ts';

/** Checks the dimensions that a line or a head names. @param pointer to it */
export function checkDimensions(
  given: Pick<DocumentLineInput, 'costCenterId' | 'projectId'>,
  pointer: string,
  references: References,
  faults: Faults,
): void {
  for (const member of DIMENSIONS) {
    const id = given[member];
    if (id === undefined) continue;
    const found = knownDimensions(references)[member].get(id);
    if (found === undefined) faults.add(`${pointer}/${member}`, 'invalid_reference', MISSING[member]);
    else if (!found.active) addClosed(faults, member, found.code, `${pointer}/${member}`);
  }
}

const MISSING = {
  costCenterId: 'refers to a cost center that does not exist',
  projectId: 'refers to a project that does not exist',
} as const;

function knownDimensions({ costCenters, projects }: References) {
  return { costCenterId: costCenters, projectId: projects };
}

/** The line and what it takes its dimensions from. */
interface LineToAssign {
  readonly line: DocumentLineInput;
  readonly head: Dimensions;
  readonly base: BaseLine | null;
  readonly item: ItemReference | undefined;
  readonly references: References;
}

/**
 * The dimensions of a line: its own, what its base line had apart from the document, those of the head, and what the base line had from
 * its document; else the defaults.
 */
export function lineDimensions({ line, head, base, item, references }: LineToAssign): Dimensions {
  const ofBase = base === null ? undefined : references.bases.get(base.documentId);
  return firstDimensions(line, apart(base, ofBase), head, base, ofBase, defaultDimensions(item, references));
}

/**
 * The dimensions of a line that takes back: where the original line is.
 * @param head of the document that takes back
 */
export function correctingDimensions({ line, head, base, references }: LineToAssign): Dimensions {
  return firstDimensions(line, base, references.bases.get(base?.documentId ?? ''), head);
}

/** Refuses what a line takes over from its base, where that takes no more. @param pointer to the line */
export function checkTakenOver(taken: Dimensions, pointer: string, references: References, faults: Faults): void {
  for (const member of DIMENSIONS) {
    const found = knownDimensions(references)[member].get(taken[member] ?? '');
    if (found?.active === false) addClosed(faults, member, found.code, `${pointer}/${member}`);
  }
}

/** The dimensions that a base line has other than its document. */
function apart(base: BaseLine | null, document: BaseDocument | undefined): Partial<Dimensions> | null {
  if (base === null) return null;
  const own = (member: keyof Dimensions) => (base[member] === document?.[member] ? null : base[member]);
  return { costCenterId: own('costCenterId'), projectId: own('projectId') };
}

/** The defaults of an item, the partner, and the company. */
function defaultDimensions(
  item: ItemReference | undefined,
  { partner, companyDimensions }: Pick<References, 'partner' | 'companyDimensions'>,
): Dimensions {
  return firstDimensions(item?.dimensions, partner?.dimensions, companyDimensions);
}

/** The references of a document that takes back, for which the dimensions of the original are usable whatever became of them. */
export function withCorrected(references: References, corrected: BaseDocument | undefined): References {
  if (corrected === undefined) return references;
  const used = (member: keyof Dimensions) => new Set([corrected, ...corrected.lines].map((one) => one[member]));
  const { projects, costCenters } = references;
  return {
    ...references,
    projects: usable(projects, used('projectId')),
    costCenters: usable(costCenters, used('costCenterId')),
  };
}

/** References of which those that are used already stay usable. */
export function usable<T extends { readonly id: string; readonly active: boolean }>(
  found: ReadonlyMap<string, T>,
  used: ReadonlySet<string | null>,
): ReadonlyMap<string, T> {
  return new Map([...found].map(([id, row]) => [id, used.has(id) ? { ...row, active: true } : row]));
}

/** A stored line of a document. */
type StoredLine = Dimensions & { readonly itemId: string | null };

/**
 * The input of a changed document whose lines follow its new head, where they had what the old head or a default gave them.
 * @param old the head before
 * @param stored each line as it was; undefined for a new one
 */
export function withNewHead(
  input: DocumentInput,
  old: Dimensions,
  stored: readonly (StoredLine | undefined)[],
  references: References,
): DocumentInput {
  const changed = DIMENSIONS.filter((member) => (input[member] ?? null) !== old[member]);
  if (changed.length === 0) return input;
  const lines = input.lines.map((line, index) => {
    const before = stored[index];
    if (before === undefined) return line;
    const inherited = firstDimensions(old, defaultDimensions(references.items.get(before.itemId ?? ''), references));
    return changed.reduce((kept, member) => {
      const { [member]: own, ...others } = kept;
      return own === inherited[member] ? others : kept;
    }, line);
  });
  return { ...input, lines };
}
