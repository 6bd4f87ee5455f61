/** Goods of one ledger that left before they came, oldest first. Until they come, their cost is guessed. */
import { type Exact, smaller, ZERO } from './parts.ts';

/** A part of what one movement took before it came. */
export interface Debt {
  readonly id: string;
  readonly quantity: Exact;
  /** Unit costs as they were guessed. */
  readonly averageCost: Exact;
  readonly fifoCost: Exact;
}

export class Debts {
  readonly #open = new Map<string, Debt>();
  readonly #known = new Set<string>();

  constructor(open: readonly Debt[]) {
    for (const debt of open) this.add(debt);
  }

  add(debt: Debt): void {
    this.#known.add(debt.id);
    this.#open.set(debt.id, debt);
  }

  /** What is still owed of a movement. */
  of(id: string): Exact {
    return this.#open.get(id)?.quantity ?? ZERO;
  }

  /** The oldest; undefined when all goods have come. */
  oldest(): Debt | undefined {
    for (const debt of this.#open.values()) return debt;
    return undefined;
  }

  /**
   * Takes a part of an open debt away.
   * @returns the part, and whether nothing is owed any more
   */
  take(id: string, quantity: Exact): { readonly part: Debt; readonly last: boolean } {
    const debt = this.#open.get(id) as Debt;
    const part = smaller(debt.quantity, quantity);
    const rest = debt.quantity.minus(part);
    if (rest.eq(0)) this.#open.delete(id);
    else this.#open.set(id, { ...debt, quantity: rest });
    return { part: { ...debt, quantity: part }, last: this.#open.size === 0 };
  }

  /** What is owed of each movement, also of those whose goods have come meanwhile. */
  *remaining(): Iterable<readonly [id: string, quantity: Exact]> {
    for (const id of this.#known) yield [id, this.of(id)];
  }
}
