/**
 * The companies for which workers begin late: their events are handed over apart from those of others, a few at a time, with a rest in
 * between that is the longer the later the workers are.
 */
import { type Clock, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';

/** Workers that begin by so much later are late. */
const LATE_MS = 2000;
/** The part of what exceeds it for which their relays rest, and the longest rest. */
const REST_SHARE = 0.25;
const LONGEST_REST_MS = 2000;

export class LateCompanies {
  readonly #clock: Clock;
  #late: ReadonlyMap<string, number> = new Map();
  /** Until when the events of each rest. */
  readonly #resting = new Map<string, number>();

  constructor(clock: Clock = STEADY_CLOCK) {
    this.#clock = clock;
  }

  /** @param reported milliseconds by company. @returns those that are late */
  hear(reported: readonly (readonly [company: string, ms: number])[]): readonly string[] {
    this.#late = new Map(reported.filter(([, ms]) => ms > LATE_MS));
    for (const company of this.#resting.keys()) if (!this.#late.has(company)) this.#resting.delete(company);
    return [...this.#late.keys()];
  }

  /** The late ones whose next events may be handed over. */
  get due(): string[] {
    const now = this.#clock.now();
    return [...this.#late.keys()].filter((company) => now >= (this.#resting.get(company) ?? 0));
  }

  /** Must be called when some of its events were handed over. */
  rest(company: string): void {
    const ms = Math.min(((this.#late.get(company) ?? 0) - LATE_MS) * REST_SHARE, LONGEST_REST_MS);
    if (ms > 0) this.#resting.set(company, this.#clock.now() + ms);
  }
}
