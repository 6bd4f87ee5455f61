/** The relay: hands events over from the outbox, at least once, in order per entity. */
import { failureMessage } from './failures.ts';
import { BATCH, type RoundDeps, runRound } from './round.ts';
import type { WakeUp } from './wake-up.ts';

/** After this time the next batch is claimed while one is still being handed over, up to `MAX_ROUNDS` at once. */
const LONG_ROUND_MS = 200;
const MAX_ROUNDS = 4;
const POLL_MS = 1000;

export class Relay {
  readonly #options: RoundDeps & { readonly wakeUp: WakeUp };
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(options: RoundDeps & { readonly wakeUp: WakeUp }) {
    this.#options = options;
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
  round(): Promise<{ claimed: number; outage: boolean }> {
    return runRound(this.#options, () => this.#stopping);
  }

  async #run(): Promise<void> {
    const { wakeUp, logger } = this.#options;
    const rounds = new Set<Promise<void>>();
    while (!this.#stopping) {
      let pause = POLL_MS;
      const round = this.round()
        .then(({ claimed, outage }) => {
          if (claimed === BATCH && !outage) pause = 0;
        })
        // The database is away: nothing is lost, the rows are still there.
        .catch((error: unknown) =>
          logger.warn({ error: failureMessage(error) }, 'The outbox could not be read; trying again'),
        )
        .finally(() => rounds.delete(round));
      rounds.add(round);
      // An event wanted by very many does not block others: while it is handed over, the next are claimed.
      if (!(await endsWithin(round, LONG_ROUND_MS))) pause = 0;
      if (rounds.size >= MAX_ROUNDS) await Promise.race(rounds);
      if (pause > 0 && !this.#stopping) await wakeUp.wait(pause);
    }
    await Promise.all(rounds);
  }
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
