/**
 * Carries events from the outbox to Temporal: at least once, in order for each entity. It holds no open transaction while it
 * waits for Temporal; the lease on the rows is what keeps other relays off, and gives them up when this process dies.
 */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { numberEntries } from '../../services/accounting/numbers.ts';
import {
  type ClaimedEvent,
  claimEvents,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../services/outbox/claim.ts';
import { type InterestedWebhook, interestedWebhooks } from '../../services/outbox/interest.ts';
import { logSkipped, skippedAttempt } from '../../services/webhooks/attempts.ts';
import type { Dispatcher } from './dispatch.ts';
import { inParallel } from './in-parallel.ts';
import { holdLease } from './lease.ts';
import type { WakeUp } from './wake-up.ts';

const BATCH = 100;
const LEASE_SECONDS = 15;
/** After so long the next batch is claimed beside one that is still handed over; so many at once. */
const LONG_ROUND_MS = 200;
const MAX_ROUNDS = 4;
/** Entities handled at once. */
const PARALLEL = 32;
/** Companies whose entries are numbered at once, and how long each may wait for whoever else numbers or closes its year. */
const NUMBERING = 4;
const NUMBERING_WAIT = '1s';
const POLL_MS = 1000;
const MAX_BACKOFF_SECONDS = 15;

type Tried = { readonly event: ClaimedEvent; readonly error: unknown };

export interface RelayOptions {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly wakeUp: WakeUp;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Told of each event that everybody has who wanted it. */
  readonly handedOver?: (event: ClaimedEvent) => void;
  /** For how long events are kept from other relays without a sign of life; 15 unless told otherwise. */
  readonly leaseSeconds?: number;
}

export class Relay {
  readonly #options: RelayOptions;
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes what is in flight and gives back the rest. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#options.wakeUp.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { wakeUp, logger } = this.#options;
    const rounds = new Set<Promise<void>>();
    while (!this.#stopping) {
      let pause = POLL_MS;
      const round = this.round()
        .then(({ claimed, failed }) => {
          if (claimed === BATCH && failed === 0) pause = 0;
        })
        // The database is away: nothing is lost, the rows are still there.
        .catch((error: unknown) =>
          logger.warn({ error: messageOf(error) }, 'The outbox could not be read; trying again'),
        )
        .finally(() => rounds.delete(round));
      rounds.add(round);
      // An event that very many want holds up no others: while it is handed over, the next are claimed.
      if (!(await endsWithin(round, LONG_ROUND_MS))) pause = 0;
      if (rounds.size >= MAX_ROUNDS) await Promise.race(rounds);
      if (pause > 0 && !this.#stopping) await wakeUp.wait(pause);
    }
    await Promise.all(rounds);
  }

  /** One batch: claim, hand over, settle. */
  async round(): Promise<{ claimed: number; failed: number }> {
    const { database, leaseSeconds: seconds = LEASE_SECONDS } = this.#options;
    const claimedAt = performance.now();
    const { events, interest } = await database.withSystem(async (trx) => {
      const events = await claimEvents(trx, { limit: BATCH, leaseSeconds: seconds });
      return { events, interest: await interestedWebhooks(trx, events) };
    });
    if (events.length === 0) return { claimed: 0, failed: 0 };

    const done: ClaimedEvent[] = [];
    const failed: Tried[] = [];
    const lease = holdLease(this.#options, ids(events), { seconds, claimedAt });
    const mayGoOn = () => !this.#stopping && failed.length === 0 && lease.isSafe();
    try {
      await inParallel(byEntity(events), PARALLEL, async (group) => {
        for (const event of group) {
          if (!mayGoOn()) return;
          const active = (interest.get(event.id) ?? []).filter((webhook) => webhook.active);
          try {
            await this.#options.dispatcher.dispatch(event, active);
            done.push(event);
          } catch (error) {
            failed.push({ event, error });
            return; // what follows on this entity waits for it
          }
        }
      });
      await this.#logSkipped(done, interest);
    } finally {
      await lease.end();
    }
    const unnumbered = await this.#numberEntries(done);
    const handed = done.filter(({ tenantId }) => !unnumbered.has(tenantId));
    for (const event of done) {
      if (unnumbered.has(event.tenantId)) failed.push({ event, error: unnumbered.get(event.tenantId) });
    }
    const settled = new Set([...handed, ...failed.map((tried) => tried.event)]);
    const untried = events.filter((event) => !settled.has(event));
    await database.withSystem(async (trx) => {
      if (handed.length > 0) await markProcessed(trx, ids(handed));
      for (const { event, error } of failed) {
        await postponeEvent(trx, event.id, { seconds: backoff(event.attempts), error: messageOf(error) });
      }
      if (untried.length > 0) await releaseEvents(trx, ids(untried));
    });
    for (const event of handed) this.#options.handedOver?.(event);
    this.#report(failed);
    return { claimed: events.length, failed: failed.length };
  }

  /**
   * Before the events are settled: a failure brings them back, and their entries are numbered then. Of one company only, so that no
   * other waits while its year is being closed.
   * @returns why, by the companies where it failed
   */
  async #numberEntries(events: readonly ClaimedEvent[]): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    await inParallel([...new Set(events.map((event) => event.tenantId))], NUMBERING, async (tenantId) => {
      try {
        await this.#options.database.withTenant({ tenantId }, async (trx) => {
          await trx.raw(`set local lock_timeout = '${NUMBERING_WAIT}'`);
          await numberEntries(trx, { tenantId });
        });
      } catch (error) {
        failures.set(tenantId, error);
      }
    });
    return failures;
  }

  /** While the lease is held, since they may be very many. A repeat of the batch changes nothing of it. */
  async #logSkipped(
    events: readonly ClaimedEvent[],
    interest: ReadonlyMap<string, readonly InterestedWebhook[]>,
  ): Promise<void> {
    const { database, now } = this.#options;
    const skipped = events.flatMap((event) =>
      (interest.get(event.id) ?? [])
        .filter(({ active }) => !active)
        .map(({ webhookId, event: name }) => skippedAttempt({ ...event, event: name }, webhookId, now())),
    );
    if (skipped.length > 0) await database.withSystem((trx) => logSkipped(trx, skipped));
  }

  #report(failed: readonly Tried[]): void {
    const first = failed[0];
    if (first === undefined) return;
    this.#options.logger.warn(
      {
        event: first.event.event,
        event_id: first.event.id,
        tenant_id: first.event.tenantId,
        attempts: first.event.attempts,
        failed: failed.length,
        error: messageOf(first.error),
      },
      'Events could not be handed to Temporal; they stay in the outbox and are tried again',
    );
  }
}

/** 1, 2, 4 … seconds. */
function backoff(attempts: number): number {
  return Math.min(2 ** Math.max(0, attempts - 1), MAX_BACKOFF_SECONDS);
}

function byEntity(events: readonly ClaimedEvent[]): ClaimedEvent[][] {
  const groups = new Map<string, ClaimedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.entityId) ?? [];
    group.push(event);
    groups.set(event.entityId, group);
  }
  return [...groups.values()];
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

function ids(events: readonly ClaimedEvent[]): string[] {
  return events.map((event) => event.id);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
