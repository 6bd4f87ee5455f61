/** Checks a chain of records as anybody can who has it: each hash, each link, the order of times (Orden HAC/1177/2024, art. 7). */
import { annulmentText, registrationText } from './hash.ts';
import type { Link, Recorded } from './records.ts';

export const CHAIN_FAULTS = ['hash', 'link', 'order', 'time'] as const;
/** hash: not that of what it says; link: does not name the one before; order: a place is missing; time: before the one before. */
export type ChainFault = (typeof CHAIN_FAULTS)[number];

export type ChainedRecord = Recorded & { readonly seq: number; readonly generatedAt: Date };

/**
 * Finds what is wrong with a record.
 * @param before the record before it in its chain; null for the first
 * @param sha256 computes the hash of a text, as hexadecimal capitals
 * @param inherited the last record of the program before, which the first one names; null if the chain begins here
 */
export function chainFaults(
  one: ChainedRecord,
  before: ChainedRecord | null,
  sha256: (text: string) => string,
  inherited: Link['previous'] | null = null,
): ChainFault[] {
  const text =
    one.kind === 'registration' ? registrationText(one.record, one.link) : annulmentText(one.record, one.link);
  const { previous } = one.link;
  const expected = before === null ? inherited : { ...before.record.invoice, hash: before.link.hash };
  const names = expected === null ? previous === undefined : isSame(expected ?? undefined, previous);
  const faults: readonly (readonly [ChainFault, boolean])[] = [
    ['hash', sha256(text) !== one.link.hash],
    ['link', !names],
    ['order', one.seq !== (before?.seq ?? 0) + 1],
    ['time', before !== null && one.generatedAt < before.generatedAt],
  ];
  return faults.flatMap(([fault, isThere]) => (isThere ? fault : []));
}

function isSame(expected: Link['previous'], named: Link['previous']): boolean {
  const members = ['hash', 'issuer', 'number', 'date'] as const;
  return members.every((member) => expected?.[member] === named?.[member]);
}
