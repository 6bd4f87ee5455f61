/** Numbered boxes of a return, while they are worked out. */
import { type Decimal, type DecimalInput, decimal, type Exact, sum } from '../money.ts';

/** Amounts by the numbers of their boxes, as printed: 07. */
export type BoxValues = Readonly<Record<string, Decimal>>;

/** What a person states in place of what the books say. */
export type Overrides = BoxValues;

export class Boxes {
  readonly #values = new Map<string, Exact>();

  get(box: string): Exact {
    return this.#values.get(box) ?? decimal(0);
  }

  set(box: string, value: DecimalInput): void {
    this.#values.set(box, decimal(value));
  }

  add(box: string, value: DecimalInput): void {
    this.set(box, this.get(box).plus(value));
  }

  /** The sum of boxes. */
  sum(boxes: readonly string[]): Exact {
    return sum(boxes.map((box) => this.get(box)));
  }

  /** Puts stated amounts in place of what was found. */
  override(overrides: Overrides): void {
    for (const [box, value] of Object.entries(overrides)) this.set(box, value);
  }

  /** All boxes of a form, zero where nothing was found. */
  values(form: readonly string[]): BoxValues {
    return Object.fromEntries(form.map((box) => [box, this.get(box).toFixed()]));
  }
}
