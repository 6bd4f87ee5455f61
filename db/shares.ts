/** What companies share, counted in places or in bytes: a whole, and of it a share for each, so that none ever has all of it. */
export class Shares {
  readonly #whole: number;
  readonly #share: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  /** @param share of one holder; half of the whole unless told, and one at least */
  constructor(whole: number, share = Math.max(1, Math.floor(whole / 2))) {
    this.#whole = whole;
    this.#share = share;
  }

  /**
   * Takes so much of it. What is more than a share goes to who has nothing of it yet.
   * @returns what gives it back, however often it is called; null when there is not so much left, for this holder or at all
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
