/** Entries of a kind of which one may be refused while the others are made. */
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';

/** Refused ones that a to-do names. */
const NAMED = 5;

/** Makes one. A savepoint undoes what it has written if it is refused. @returns why it is refused, or else what it made */
export async function attempt<T>(
  trx: Db,
  make: (inner: Db) => Promise<T>,
): Promise<{ readonly made: T } | { readonly reason: string }> {
  try {
    return { made: await trx.transaction(make) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    return { reason: error.message };
  }
}

/** Lists refused ones for a to-do, a line for each. */
export function refusedLines<Refused>(refused: readonly Refused[], words: (one: Refused) => string): string {
  return refused.slice(0, NAMED).map(words).join('\n');
}
