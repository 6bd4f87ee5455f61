/** Files with random changes: readers read or refuse them, and fail in no other way. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BadStatement } from '../../../../domain/bank/statements/statement.ts';

interface Change {
  /** Position, as a fraction of the file. */
  readonly at: number;
  readonly delete: number;
  readonly insert: string;
}

/** One to four changes. @param marks what the format gives a meaning to */
export function changesWith(...marks: readonly string[]): fc.Arbitrary<Change[]> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    delete: fc.integer({ min: 0, max: 40 }),
    insert: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...marks)),
  });
  return fc.array(change, { minLength: 1, maxLength: 4 });
}

/** The changed file is read, or refused with a line, a code and a message. */
export function assertReadOrRefused(text: string, changes: readonly Change[], read: (text: string) => unknown): void {
  let changed = text;
  for (const change of changes) {
    const at = Math.floor(change.at * changed.length);
    changed = changed.slice(0, at) + change.insert + changed.slice(at + change.delete);
  }
  try {
    read(changed);
  } catch (error) {
    if (!(error instanceof BadStatement)) throw error;
    for (const { line, code, message } of error.errors) assert.ok(line >= 1 && code && message, 'says where and what');
  }
}
