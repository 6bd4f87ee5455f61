/** Goods of one ledger that left before they came in, oldest first. Until they come in, their cost is an estimate. */
import { type Exact, smaller, ZERO } from './amounts.ts';

/** A quantity that a movement took before it came in. */
export interface Debt {
  readonly id: string;
  readonly quantity: Exact;
  /** Unit costs as estimated. */
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

  /** The quantity that a movement still owes. */
  owedQuantity(id: string): Exact {
    return this.#open.get(id)?.quantity ?? ZERO;
  }

  /** The oldest debt; undefined when all goods have come in. */
  oldest(): Debt | undefined {
    for (const debt of this.#open.values()) return debt;
    return undefined;
  }

  /** Reduces an open debt. @returns the settled part, and whether no debt is left */
  take(id: string, quantity: Exact): { readonly part: Debt; readonly last: boolean } {
    const debt = this.#open.get(id) as Debt;
    const part = smaller(debt.quantity, quantity);
    const rest = debt.quantity.minus(part);
    if (rest.eq(0)) this.#open.delete(id);
    else this.#open.set(id, { ...debt, quantity: rest });
    return { part: { ...debt, quantity: part }, last: this.#open.size === 0 };
  }

  /** The quantity that each movement owes, including movements whose goods have come in since. */
  *remaining(): Iterable<readonly [id: string, quantity: Exact]> {
    for (const id of this.#known) yield [id, this.owedQuantity(id)];
  }
}
