/** Indexes payments that may be returned: comparing each line of a large file with all of them would take too long. */
import { type Decimal, decimal } from '../../money.ts';
import { indexBy } from './index-by.ts';
import type { PaidBefore, SuggestedLine } from './suggestion.ts';
import { compact, lineTokens, normalized } from './words.ts';

/** Maximum payments considered per amount or reference, and direction; latest first. */
export const MAX_ALIKE = 20;

export class PaidBook {
  readonly #paid: ReadonlyMap<string, readonly PaidBefore[]>;

  /** @param paid latest first */
  constructor(paid: readonly PaidBefore[]) {
    this.#paid = indexBy(paid, ({ id, ids, direction, amount, reference }) =>
      [`= ${size(amount)}`, compact(id), ...ids, ...(reference === null ? [] : [normalized(reference)])].map(
        (key) => `${direction} ${key}`,
      ),
    );
  }

  /**
   * Finds the payments that a line may return: of the opposite direction, with its amount or with an id or reference
   * that it names.
   */
  candidates(line: SuggestedLine): PaidBefore[] {
    const direction = line.amount.startsWith('-') ? 'in' : 'out';
    const keys = [`= ${size(line.amount)}`, ...lineTokens(line)].map((key) => `${direction} ${key}`);
    return [...new Set(keys.flatMap((key) => this.#paid.get(key)?.slice(0, MAX_ALIKE) ?? []))];
  }
}

function size(amount: Decimal): Decimal {
  return decimal(amount).abs().toFixed();
}
