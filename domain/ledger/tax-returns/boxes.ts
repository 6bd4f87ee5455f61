/** Numbered boxes of a return during its computation. */
import { type Decimal, type DecimalInput, decimal, type Exact, round, sum } from '../../money.ts';

/** Amounts by box number, as printed: 07. */
export type BoxValues = Readonly<Record<string, Decimal>>;

/** Amounts that a person states in place of those in the books. */
export type Overrides = BoxValues;

/** The order of boxes by their numbers; one with a letter (16b) comes after the one without. */
export function compareBoxes(one: string, other: string): number {
  return Number.parseInt(one, 10) - Number.parseInt(other, 10) || one.length - other.length;
}

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

  /** Adds boxes up. */
  sum(boxes: readonly string[]): Exact {
    return sum(boxes.map((box) => this.get(box)));
  }

  /** Replaces computed amounts with stated ones. */
  override(overrides: Overrides): void {
    for (const [box, value] of Object.entries(overrides)) this.set(box, value);
  }

  /** Rounds all amounts to cents, as forms have them, before others are added up from them. */
  roundToCents(): void {
    for (const [box, value] of this.#values) this.set(box, round(value, 2));
  }

  /** Lists the boxes that are not zero. */
  filled(): BoxValues {
    return Object.fromEntries(
      [...this.#values].filter(([, value]) => !value.eq(0)).map(([box, value]) => [box, value.toFixed()]),
    );
  }

  /** Lists all boxes of a form, zero where empty. */
  values(form: readonly string[]): BoxValues {
    return Object.fromEntries(form.map((box) => [box, this.get(box).toFixed()]));
  }
}
