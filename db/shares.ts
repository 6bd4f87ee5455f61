/** A resource shared by companies, counted in places or bytes. Each holder has a share, so that none can take everything. */
export class Shares {
  readonly #whole: number;
  readonly #share: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  /** @param share maximum of one holder; defaults to half of the whole, at least one */
  constructor(whole: number, share = Math.max(1, Math.floor(whole / 2))) {
    this.#whole = whole;
    this.#share = share;
  }

  /**
   * Takes an amount. More than a share is available only to a holder that has nothing yet.
   * @returns a function that returns it, however often it is called; null if not enough is left, for this holder or in total
   */
  take(holder: string, amount = 1): (() => void) | null {
    const taken = this.#taken.get(holder) ?? 0;
    if (taken > 0 && taken + amount > this.#share) return null;
    if (this.#sum > 0 && this.#sum + amount > this.#whole) return null;
    this.#change(holder, amount);
    let given = false;
    return () => {
      if (!given) this.#change(holder, -amount);
      given = true;
    };
  }

  #change(holder: string, amount: number): void {
    this.#sum += amount;
    const left = (this.#taken.get(holder) ?? 0) + amount;
    if (left === 0) this.#taken.delete(holder);
    else this.#taken.set(holder, left);
  }
}
