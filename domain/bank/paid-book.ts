/** What was paid and may come back, found by what lines say: comparing each line with all of it would take long for large files. */
import { type Decimal, decimal } from '../money.ts';
import { indexBy } from './index-by.ts';
import type { PaidBefore, SuggestedLine } from './suggestion.ts';
import { compact, normalized, tokensOf } from './words.ts';

/** How many of one amount or reference, and direction, are considered: the first, which are the latest. */
export const PAID_ALIKE = 20;

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

  /** What a line may bring back: of the other direction and of its amount, or of an id or reference that it names. */
  candidates(line: SuggestedLine): PaidBefore[] {
    const direction = line.amount.startsWith('-') ? 'in' : 'out';
    const keys = [`= ${size(line.amount)}`, ...tokensOf(line)].map((key) => `${direction} ${key}`);
    return [...new Set(keys.flatMap((key) => this.#paid.get(key)?.slice(0, PAID_ALIKE) ?? []))];
  }
}

function size(amount: Decimal): Decimal {
  return decimal(amount).abs().toFixed();
}
