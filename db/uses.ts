/** Counts what each company has under way on the database, running or waiting: reads, exports and transactions alike. */
export class Uses {
  readonly #underWay = new Map<string, number>();

  /** Something begins, which must end. @param company null = of no company, which is not counted */
  begin(company: string | null): void {
    if (company !== null) this.#underWay.set(company, this.of(company) + 1);
  }

  end(company: string | null): void {
    if (company === null) return;
    const left = this.of(company) - 1;
    if (left > 0) this.#underWay.set(company, left);
    else this.#underWay.delete(company);
  }

  /** The number of things that a company has under way. */
  of(company: string): number {
    return this.#underWay.get(company) ?? 0;
  }

  /** The number of things under way of the company that has most. */
  get most(): number {
    return Math.max(0, ...this.#underWay.values());
  }
}
