/** The relay: hands events over from the outbox, at least once, in order per entity. */
import { failureMessage } from './failures.ts';
import { Pace } from './pace.ts';
import { BATCH, type RoundDeps, runRound } from './round.ts';
import type { WakeUp } from './wake-up.ts';

/** After this time the next batch is claimed while one is still being handed over, up to `MAX_ROUNDS` at once. */
const LONG_ROUND_MS = 200;
const MAX_ROUNDS = 8;
/** Rounds at once with events of one company: what takes long to hand over holds up its own events, not those of others. */
const ROUNDS_OF_COMPANY = 2;
const POLL_MS = 1000;
/** How often the events of a held company are looked for. */
const HELD_MS = 200;

export class Relay {
  readonly #options: RoundDeps & { readonly wakeUp: WakeUp };
  readonly #pace: Pace;
  #stopping = false;
  #running: Promise<void> | null = null;

  /** @param pace of companies whose events start much; nobody is held up by default */
  constructor(options: RoundDeps & { readonly wakeUp: WakeUp }, pace = new Pace(0)) {
    this.#options = options;
    this.#pace = pace;
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

  /**
   * One batch.
   * @param held companies whose events are left for later
   * @param claimed called with the companies of the claimed events, and with the one that most of a full batch are from
   * @returns how many events were claimed, and whether something is down that all of them need
   */
  round(
    held: readonly string[] = [],
    claimed: (companies: readonly string[], most: string | null) => void = () => undefined,
    limit = BATCH,
  ): Promise<{ claimed: number; outage: boolean }> {
    return runRound(this.#options, () => this.#stopping, {
      held,
      limit,
      started: ({ tenantId }, workflows) => this.#pace.started(tenantId, workflows),
      claimed: (events) => {
        const all = events.map(({ tenantId }) => tenantId);
        claimed([...new Set(all)], events.length === limit ? mostFrequent(all) : null);
      },
    });
  }

  async #run(): Promise<void> {
    const { wakeUp, logger } = this.#options;
    const rounds = new Set<Promise<void>>();
    /** The companies whose events are being handed over, once for each round. */
    const running: string[] = [];
    let held: readonly string[] = [];
    /** The company that filled the last batch. Others would wait behind all of its events, so the next batch is theirs. */
    let last: string | null = null;
    while (!this.#stopping) {
      let pause = last === null ? POLL_MS : 0;
      const apart = [...(last === null ? [] : [last]), ...frequent(running, ROUNDS_OF_COMPANY)];
      last = null;
      let own: readonly string[] = [];
      const paying = this.#pace.held;
      if (paying.length > 0) pause = Math.min(pause, HELD_MS);
      const limit = this.#pace.batch(BATCH);
      const beginning = (companies: readonly string[], most: string | null) => {
        last = most;
        own = companies;
        running.push(...companies);
      };
      const round = this.round([...held, ...apart, ...paying], beginning, limit)
        .then(({ claimed, outage }) => {
          if (claimed === limit && !outage) pause = 0;
        })
        // The database is away: nothing is lost, the rows are still there.
        .catch((error: unknown) =>
          logger.warn({ error: failureMessage(error) }, 'The outbox could not be read; trying again'),
        )
        .finally(() => {
          rounds.delete(round);
          // Its further events have been waiting for one of its rounds to end.
          const waiting = frequent(running, ROUNDS_OF_COMPANY);
          if (own.some((company) => waiting.includes(company))) wakeUp.wake();
          for (const company of own) running.splice(running.indexOf(company), 1);
        });
      rounds.add(round);
      // An event wanted by very many does not block others: while it is handed over, the next are claimed.
      if (!(await endsWithin(round, LONG_ROUND_MS))) pause = 0;
      if (rounds.size >= MAX_ROUNDS) await Promise.race(rounds);
      // Events that were let go are handed over batch after batch.
      if (pause > 0 && !this.#stopping) held = await wakeUp.wait(pause);
    }
    await Promise.all(rounds);
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
