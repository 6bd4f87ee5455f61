/** The relay: hands events over from the outbox, at least once, in order per entity. */
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { Backlogs } from './backlogs.ts';
import { failureMessage } from './failures.ts';
import { LateCompanies } from './late-companies.ts';
import { Pace } from './pace.ts';
import { BATCH, type RoundDeps, type RoundOptions, runRound } from './round.ts';
import type { WakeUp } from './wake-up.ts';

/** After this time the next batch is claimed while one is still being handed over, up to `MAX_ROUNDS` at once. */
const LONG_ROUND_MS = 200;
/** The same for a small batch: processors are busy, and others should not wait for it. */
const LONG_SMALL_ROUND_MS = 50;
const MAX_ROUNDS = 8;
/** Rounds at once with events of one company: what takes long to hand over holds up its own events, not those of others. */
const ROUNDS_OF_COMPANY = 2;
const POLL_MS = 1000;
/** Longest time that a batch should take: its events wait for each other, and no longer count as waiting. */
const ROUND_MS = 1000;
const LEAST_BATCH = 20;
/** How often the events of a held company are looked for. */
const HELD_MS = 200;
/** Events that are handed over at a time for a company for which workers begin late. */
const LATE_BATCH = 50;

export class Relay {
  readonly #options: RoundDeps & { readonly wakeUp: WakeUp };
  readonly #pace: Pace;
  readonly #late = new LateCompanies();
  readonly #backlogs: Backlogs;
  readonly #rounds = new Set<Promise<boolean>>();
  /** The companies whose events are being handed over, once for each round. */
  readonly #companies: string[] = [];
  /** The company that filled the last batch. Others would wait behind all of its events, so the next batch is theirs. */
  #last: string | null = null;
  /** Time that an event of the last batches took. */
  #eventMs = 0;
  #stopping = false;
  #running: Promise<void> | null = null;

  /** @param pace of companies whose events start much; nobody is held up by default */
  constructor(options: RoundDeps & { readonly wakeUp: WakeUp }, pace = new Pace(0)) {
    this.#options = options;
    this.#pace = pace;
    this.#backlogs = new Backlogs(options.database, options.logger);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes what is in flight and releases the rest. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#options.wakeUp.wake('urgent');
    await this.#running;
  }

  /** One batch. @returns how many events were claimed, and whether something is down that all of them need */
  round(options: RoundOptions = {}): Promise<{ claimed: number; outage: boolean }> {
    return runRound(this.#options, () => this.#stopping, {
      ...options,
      started: ({ tenantId }, workflows) => this.#pace.started(tenantId, workflows),
    });
  }

  async #run(): Promise<void> {
    let held: readonly string[] = [];
    while (!this.#stopping) {
      const paying = this.#pace.held;
      const crowds = this.#pace.crowds;
      const late = this.#late.hear(this.#options.wakeUp.late);
      for (const only of crowds) {
        if (![...held, ...paying, ...this.#companies].includes(only)) void this.#begin({ only, limit: 1 });
      }
      for (const only of this.#late.due) {
        if (this.#companies.includes(only)) continue;
        void this.#begin({ only, limit: LATE_BATCH }).finally(() => this.#late.rest(only));
      }
      const apart = [...(this.#last === null ? [] : [this.#last]), ...frequent(this.#companies, ROUNDS_OF_COMPANY)];
      let pause = this.#last === null ? POLL_MS : 0;
      if (paying.length + late.length > 0) pause = Math.min(pause, HELD_MS);
      const limit = this.#pace.batch(this.#batch);
      const round = this.#begin({ held: [...held, ...apart, ...paying, ...crowds, ...late], limit }).then((filled) => {
        if (filled) pause = 0;
      });
      // An event wanted by very many does not block others: while it is handed over, the next are claimed.
      if (!(await endsWithin(round, limit < LEAST_BATCH ? LONG_SMALL_ROUND_MS : LONG_ROUND_MS))) pause = 0;
      if (this.#rounds.size >= MAX_ROUNDS) await Promise.race(this.#rounds);
      // Events that were let go are handed over batch after batch.
      if (pause > 0 && !this.#stopping) held = await this.#options.wakeUp.wait(pause);
    }
    await Promise.all(this.#rounds);
  }

  /** As many events as are handed over in the time of a round. */
  get #batch(): number {
    return Math.max(LEAST_BATCH, Math.min(BATCH, Math.round(ROUND_MS / this.#eventMs)));
  }

  /** Begins a round. @returns whether it has claimed as many events as it might, so that there may be more */
  #begin(options: {
    readonly only?: string;
    readonly held?: readonly string[];
    readonly limit: number;
  }): Promise<boolean> {
    const { wakeUp, logger } = this.#options;
    const own = new Set<string>();
    const begun = performance.now();
    if (options.only === undefined) this.#last = null;
    else this.#enter(own, [options.only]);
    const claimed = (events: readonly ClaimedEvent[]) => {
      const all = events.map(({ tenantId }) => tenantId);
      this.#enter(own, all);
      if (options.only === undefined) this.#last = all.length === options.limit ? mostFrequent(all) : null;
    };
    const round = this.round({ ...options, claimed, ended: (company) => this.#leave(own, company) })
      .then(({ claimed: count, outage }) => {
        const filled = count === options.limit && !outage;
        if (filled) this.#eventMs = (this.#eventMs + (performance.now() - begun) / count) / 2;
        if (outage) this.#backlogs.outage();
        else if (count > 0 || this.#backlogs.areKnown) void this.#backlogs.look();
        if (filled && options.only !== undefined) wakeUp.wake();
        return filled;
      })
      // The database is away: nothing is lost, the rows are still there.
      .catch((error: unknown) => {
        logger.warn({ error: failureMessage(error) }, 'The outbox could not be read; trying again');
        return false;
      })
      .finally(() => {
        this.#rounds.delete(round);
        for (const company of own) this.#leave(own, company);
      });
    this.#rounds.add(round);
    return round;
  }

  #enter(own: Set<string>, companies: readonly string[]): void {
    const entering = new Set(companies.filter((company) => !own.has(company)));
    for (const company of entering) own.add(company);
    this.#companies.push(...entering);
  }

  #leave(own: Set<string>, company: string): void {
    if (!own.delete(company)) return;
    // Its further events have been waiting for one of its rounds to end.
    if (frequent(this.#companies, ROUNDS_OF_COMPANY).includes(company)) this.#options.wakeUp.wake();
    this.#companies.splice(this.#companies.indexOf(company), 1);
  }
}

/** The text that more than half of them are; null if there is none. */
function mostFrequent(texts: readonly string[]): string | null {
  return frequent(texts, Math.floor(texts.length / 2) + 1)[0] ?? null;
}

/** The texts that are there so many times, or more often. */
function frequent(texts: readonly string[], times: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].flatMap(([text, count]) => (count >= times ? [text] : []));
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
