/**
 * A plain model of what goods are worth: each unit for itself by FIFO, and by average worked out from the beginning each time, with the
 * prices that are known by then. Prices are in cents.
 */

/** A receipt: its units cost what its note says until its invoice says more. */
export interface Receipt {
  readonly at: number;
  readonly units: number;
  price: number;
}

export interface Sale {
  readonly at: number;
  /** Whether it was from the other warehouse. */
  readonly there: boolean;
  /** Whose units left, in the order in which they left; null for one that has not come yet. */
  readonly units: (Receipt | null)[];
  /** Goods that returns brought back, each return for itself. */
  readonly returned: Back[];
  /** Goods that credit notes brought back themselves. */
  readonly creditedWith: Back[];
}

/** Returned goods, worth what was known of them then; undefined of goods that were owed. */
interface Back {
  readonly units: readonly (Receipt | null)[];
  readonly cost: number | undefined;
}

type Step =
  | { readonly kind: 'in'; readonly receipt: Receipt }
  | { readonly kind: 'out'; readonly sale: Sale; readonly quantity: number }
  | { readonly kind: 'back'; readonly sale: Sale; readonly quantity: number }
  | { readonly kind: 'move'; readonly quantity: number };

/** Quantities in this warehouse and in the other. */
export interface Places {
  readonly here: number;
  readonly there: number;
}

export class Values {
  readonly receipts: Receipt[] = [];
  readonly sales: Sale[] = [];
  /** Units on hand, by age of their receipt. */
  #units: Receipt[] = [];
  /** Units in the other warehouse, from which no more is sold than there is. */
  #elsewhere: Receipt[] = [];
  readonly #steps: Step[] = [];

  get onHand(): number {
    return this.#units.length - this.#owed().length;
  }

  /** Whether goods were sold that have not come yet. */
  owes(): boolean {
    return this.#owed().length > 0;
  }

  receive(units: number, price: number): Receipt {
    const receipt = { at: this.#steps.length, units, price };
    this.receipts.push(receipt);
    this.#steps.push({ kind: 'in', receipt });
    this.#put(Array.from({ length: units }, () => receipt));
    return receipt;
  }

  sell(quantity: number): Sale {
    const taken = this.#units.splice(0, quantity);
    const missing = Array.from({ length: quantity - taken.length }, () => null);
    return this.#sold(quantity, { there: false, units: [...taken, ...missing] });
  }

  sellThere(quantity: number): Sale {
    return this.#sold(quantity, { there: true, units: this.#elsewhere.splice(0, quantity) });
  }

  #sold(quantity: number, how: Pick<Sale, 'there' | 'units'>): Sale {
    const sale: Sale = { at: this.#steps.length, returned: [], creditedWith: [], ...how };
    this.sales.push(sale);
    this.#steps.push({ kind: 'out', sale, quantity });
    return sale;
  }

  /** Moves what leaves next to the other warehouse. */
  move(quantity: number): void {
    this.#elsewhere = byAge([...this.#elsewhere, ...this.#units.splice(0, quantity)]);
    this.#steps.push({ kind: 'move', quantity });
  }

  get elsewhere(): number {
    return this.#elsewhere.length;
  }

  /**
   * Returns goods from a customer: first the units that had not been received yet, then those that left last.
   */
  takeBack(sale: Sale, quantity: number): Back {
    this.#steps.push({ kind: 'back', sale, quantity });
    const missing = sale.units.filter((unit) => unit === null).length;
    const undone = Math.min(missing, quantity);
    const there = byAge(sale.units.filter((unit) => unit !== null));
    const back = quantity > undone ? there.splice(-(quantity - undone)) : [];
    sale.units.splice(0, sale.units.length, ...there, ...Array.from({ length: missing - undone }, () => null));
    if (sale.there) this.#elsewhere = byAge([...this.#elsewhere, ...back]);
    else this.#put(back);
    const units = [...Array.from({ length: undone }, () => null), ...back];
    return { units, cost: undone > 0 ? undefined : back.reduce((sum, { price }) => sum + price, 0) };
  }

  /** Takes the last step back, a return of goods that are all there. */
  leaveAgain(sale: Sale, units: readonly (Receipt | null)[]): void {
    this.#steps.pop();
    const away = new Map(units.map((unit) => [unit, units.filter((one) => one === unit).length]));
    const stay = (unit: Receipt) => {
      const left = away.get(unit) ?? 0;
      away.set(unit, left - 1);
      return left <= 0;
    };
    if (sale.there) this.#elsewhere = this.#elsewhere.filter(stay);
    else this.#units = this.#units.filter(stay);
    sale.units.push(...units);
  }

  /** By FIFO; of a stock below zero nothing is said, since it is guessed. */
  fifo(): Places {
    const worth = (units: readonly Receipt[]) => units.reduce((sum, { price }) => sum + price, 0);
    return { here: worth(this.#units), there: worth(this.#elsewhere) };
  }

  /** Returns the FIFO cost of a sale; undefined until all its units have been received. */
  saleCost({ units }: Sale): number | undefined {
    let cost = 0;
    for (const unit of units) {
      if (unit === null) return undefined;
      cost += unit.price;
    }
    return cost;
  }

  /** By average, as if all prices had been known from the beginning. */
  average(): Places {
    const here = { quantity: 0, value: 0 };
    const there = { quantity: 0, value: 0 };
    const left = new Map<Sale, { quantity: number; cost: number; owed: number }>();
    const arrive = (quantity: number, price: number) => {
      let rest = quantity;
      for (const sale of left.values()) {
        const part = Math.min(rest, sale.owed);
        sale.owed -= part;
        sale.cost += part * price;
        rest -= part;
      }
      here.quantity += rest;
      here.value += rest * price;
    };
    /** @returns the cost of so many pieces, by the average there */
    const leave = (stock: typeof here, quantity: number): number => {
      const cost = quantity === 0 ? 0 : (stock.value * quantity) / stock.quantity;
      stock.quantity -= quantity;
      stock.value -= cost;
      return cost;
    };
    for (const step of this.#steps) {
      if (step.kind === 'in') arrive(step.receipt.units, step.receipt.price);
      else if (step.kind === 'out') {
        const stock = step.sale.there ? there : here;
        const taken = Math.min(step.quantity, stock.quantity);
        left.set(step.sale, { quantity: step.quantity, cost: leave(stock, taken), owed: step.quantity - taken });
      } else if (step.kind === 'move') {
        there.value += leave(here, step.quantity);
        there.quantity += step.quantity;
      } else {
        const sale = left.get(step.sale) as { quantity: number; cost: number; owed: number };
        const undone = Math.min(sale.owed, step.quantity);
        const back = step.quantity - undone;
        const had = sale.quantity - sale.owed;
        const price = had === 0 ? 0 : sale.cost / had;
        sale.owed -= undone;
        sale.quantity -= step.quantity;
        sale.cost -= price * back;
        if (step.sale.there) {
          there.quantity += back;
          there.value += price * back;
        } else arrive(back, price);
      }
    }
    return { here: here.value, there: there.value };
  }

  #put(units: readonly Receipt[]): void {
    this.#units = byAge([...this.#units, ...units]);
    for (const { sale, index } of this.#owed()) {
      const unit = this.#units.shift();
      if (unit === undefined) return;
      sale.units[index] = unit;
    }
  }

  /** Returns the units sold but not received yet, the oldest first. */
  #owed() {
    return this.sales.flatMap((sale) => sale.units.flatMap((unit, index) => (unit === null ? [{ sale, index }] : [])));
  }
}

/** The oldest first. */
function byAge(units: readonly Receipt[]): Receipt[] {
  return [...units].sort((one, other) => one.at - other.at);
}
