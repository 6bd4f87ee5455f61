/**
 * Tells the API which companies write faster than the workers can follow, and how long their next events will wait. It predicts that from
 * how fast a backlog moves: the age of its oldest event would show it only much later. Backlogs that an outage has left are not told.
 */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { BACKLOG_CHANNEL, type Backlog, readBacklogs, type Wait } from '../../services/platform/outbox/backlog.ts';

/** Shortest time between two looks. */
const LOOK_MS = 1000;
/** Time over which the speed of a backlog is measured, and its growth. */
const SPEED_MS = 5000;
const GROWTH_MS = 3000;
/** A backlog that is older when it is first seen, or after an outage, is left by that; it counts again once it was younger than this. */
const LEFT_SECONDS = 30;
const OVER_SECONDS = 5;
/** A wait is at most this many times as long as the oldest event has waited: a backlog may stand still for a moment. */
const MOST_TIMES = 3;

interface Place {
  readonly at: number;
  readonly oldest: number;
  /** From the oldest event to the newest. */
  readonly length: number;
}

export class Backlogs {
  readonly #database: Database;
  readonly #logger: Logger;
  #looked = -Infinity;
  /** Whether the next look is the first one, of all or after an outage. */
  #isFirst = true;
  /** Companies with a backlog that an outage has left. */
  #left: ReadonlySet<string> = new Set();
  /** Where each backlog began at the last looks. */
  #places: ReadonlyMap<string, readonly Place[]> = new Map();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Must be called when events could not be handed over because something was down that all of them need. */
  outage(): void {
    this.#isFirst = true;
  }

  /** Whether there were backlogs at the last look. */
  get areKnown(): boolean {
    return this.#places.size > 0;
  }

  /**
   * Must be called when events were handed over, and while backlogs are known; looks once a second at most.
   * @param now milliseconds of a steady clock
   */
  async look(now = performance.now()): Promise<void> {
    if (now - this.#looked < LOOK_MS) return;
    this.#looked = now;
    try {
      const backlogs = await this.#database.withSystem((trx) => readBacklogs(trx));
      const waits = this.#waits(backlogs, now);
      if (waits.length > 0) await this.#database.notify(BACKLOG_CHANNEL, JSON.stringify(waits));
    } catch (error) {
      // It is only a hint.
      this.#logger.warn({ error: String(error) }, 'The backlogs of companies could not be told');
    }
  }

  #waits(backlogs: readonly Backlog[], now: number): Wait[] {
    const left = backlogs.filter(({ tenantId, seconds }) =>
      this.#left.has(tenantId) ? seconds >= OVER_SECONDS : this.#isFirst && seconds > LEFT_SECONDS,
    );
    this.#left = new Set(left.map(({ tenantId }) => tenantId));
    this.#isFirst = false;
    const placesBefore = this.#places;
    this.#places = new Map(
      backlogs.map(({ tenantId, oldest, newest }) => {
        const recent = (placesBefore.get(tenantId) ?? []).filter(({ at }) => now - at <= SPEED_MS);
        return [tenantId, [...recent, { at: now, oldest, length: newest - oldest + 1 }]];
      }),
    );
    const waiting = backlogs.filter(({ tenantId }) => !this.#left.has(tenantId));
    return waiting.map(({ tenantId, seconds }) => {
      const places = this.#places.get(tenantId) ?? [];
      return { tenantId, seconds: wait(places, seconds), growth: growth(places) };
    });
  }
}

/** Seconds until the newest event is handed over, at the speed of the last seconds. @param age of the oldest, in seconds */
function wait(places: readonly Place[], age: number): number {
  const [from, to] = [places[0], places.at(-1)];
  if (from === undefined || to === undefined || to.oldest <= from.oldest) return age;
  const perSecond = ((to.oldest - from.oldest) * 1000) / (to.at - from.at);
  return Math.round(Math.min(to.length / perSecond, age * MOST_TIMES) * 10) / 10;
}

function growth(places: readonly Place[]): number {
  const to = places.at(-1);
  const from = places.find(({ at }) => to !== undefined && to.at - at <= GROWTH_MS);
  if (from === undefined || to === undefined || from === to) return 0;
  return Math.round((Math.log(to.length / from.length) / (to.at - from.at)) * 100_000) / 100;
}
