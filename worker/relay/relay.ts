/**
 * Carries events from the outbox to Temporal: at least once, in order for each entity. It holds no open transaction while it
 * waits for Temporal; the lease on the rows is what keeps other relays off, and gives them up when this process dies.
 */
import type { Logger } from 'pino';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import {
  type Claim,
  type ClaimedEvent,
  claimEvents,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../services/outbox/claim.ts';
import { type InterestedWebhook, interestedWebhooks } from '../../services/outbox/interest.ts';
import { logUnsent, skippedAttempt, unfilteredAttempt } from '../../services/webhooks/attempts.ts';
import { tellFilterErrors } from '../../services/webhooks/tell-once.ts';
import { COMPANY_REACTIONS } from '../reactions/index.ts';
import type { Dispatcher } from './dispatch.ts';
import { isOwnFailure } from './failures.ts';
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
/** Companies at once for which something is done after a batch. */
const COMPANIES = 4;
const POLL_MS = 1000;
const MAX_BACKOFF_SECONDS = 15;

type Tried = { readonly event: ClaimedEvent; readonly error: unknown };
type Interest = ReadonlyMap<string, readonly InterestedWebhook[]>;

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
        .then(({ claimed, outage }) => {
          if (claimed === BATCH && !outage) pause = 0;
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

  /** One batch: claim, hand over, settle. @returns how many events, and whether something is down that all of them need */
  async round(): Promise<{ claimed: number; outage: boolean }> {
    const { database, leaseSeconds: seconds = LEASE_SECONDS } = this.#options;
    const claimedAt = performance.now();
    const claim: Claim = { owner: newId(), seconds };
    const events = await database.withSystem((trx) => claimEvents(trx, claim, BATCH));
    if (events.length === 0) return { claimed: 0, outage: false };

    const done: ClaimedEvent[] = [];
    const failed: Tried[] = [];
    let outage = false;
    const fail = (event: ClaimedEvent, error: unknown) => {
      failed.push({ event, error });
      outage ||= !isOwnFailure(error);
    };
    const lease = holdLease(this.#options, claim, ids(events), claimedAt);
    const mayGoOn = () => !this.#stopping && !outage && lease.isSafe();
    try {
      const interest = await this.#interestIn(events, fail);
      const unread = new Set(failed.map(({ event }) => event));
      await inParallel(byEntity(events), PARALLEL, async (group) => {
        for (const event of group) {
          // What follows on this entity waits for it.
          if (!mayGoOn() || unread.has(event)) return;
          const wanted = (interest.get(event.id) ?? []).filter(
            ({ active, filterError }) => active && filterError === null,
          );
          try {
            await this.#options.dispatcher.dispatch(event, wanted);
            done.push(event);
          } catch (error) {
            return fail(event, error);
          }
        }
      });
      await this.#logUnsent(done, interest);
    } finally {
      await lease.end();
    }
    const undone = await this.#reactForCompanies(done);
    const handed = done.filter(({ tenantId }) => !undone.has(tenantId));
    for (const event of done) {
      if (undone.has(event.tenantId)) failed.push({ event, error: undone.get(event.tenantId) });
    }
    const settled = new Set([...handed, ...failed.map((tried) => tried.event)]);
    const untried = events.filter((event) => !settled.has(event));
    await database.withSystem(async (trx) => {
      if (handed.length > 0) await markProcessed(trx, claim, ids(handed));
      for (const tried of failed) await this.#postpone(trx, claim, tried);
      if (untried.length > 0) await releaseEvents(trx, claim, ids(untried));
    });
    for (const event of handed) this.#options.handedOver?.(event);
    this.#report(failed);
    return { claimed: events.length, outage };
  }

  /** Who wants the events. When that cannot be found out for all at once, each is looked at alone, and fails alone. */
  async #interestIn(
    events: readonly ClaimedEvent[],
    fail: (event: ClaimedEvent, error: unknown) => void,
  ): Promise<Interest> {
    const { database } = this.#options;
    try {
      return await database.withSystem((trx) => interestedWebhooks(trx, events));
    } catch (error) {
      if (!isOwnFailure(error)) {
        for (const event of events) fail(event, error);
        return new Map();
      }
    }
    const interest = new Map<string, readonly InterestedWebhook[]>();
    for (const event of events) {
      try {
        const alone = await database.withSystem((trx) => interestedWebhooks(trx, [event]));
        for (const [id, webhooks] of alone) interest.set(id, webhooks);
      } catch (error) {
        fail(event, error);
      }
    }
    return interest;
  }

  async #postpone(trx: Db, claim: Claim, { event, error }: Tried): Promise<void> {
    const failure = { error: messageOf(error), own: isOwnFailure(error), seconds: backoff(event.attempts) };
    if (!(await postponeEvent(trx, claim, event, failure))) return;
    this.#options.logger.error(
      { event: event.event, event_id: event.id, tenant_id: event.tenantId, error: failure.error },
      'An event was set aside: it cannot be handed over, and what follows goes on without it; see npm run outbox',
    );
  }

  /** @returns why, by the companies for which something could not be done */
  async #reactForCompanies(events: readonly ClaimedEvent[]): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    await inParallel([...new Set(events.map((event) => event.tenantId))], COMPANIES, async (tenantId) => {
      try {
        for (const { react } of COMPANY_REACTIONS) await react(this.#options.database, tenantId);
      } catch (error) {
        failures.set(tenantId, error);
      }
    });
    return failures;
  }

  /**
   * Logs what no delivery is started for: webhooks that are inactive, and those whose filters failed on the event. While the lease is
   * held, since they may be very many; a repeat of the batch changes nothing of it.
   */
  async #logUnsent(events: readonly ClaimedEvent[], interest: Interest): Promise<void> {
    const { database, now } = this.#options;
    const unsent = events.flatMap((event) =>
      (interest.get(event.id) ?? []).flatMap(({ webhookId, active, event: name, filterError }) => {
        if (filterError !== null) return unfilteredAttempt({ ...event, event: name }, webhookId, filterError, now());
        return active ? [] : skippedAttempt({ ...event, event: name }, webhookId, now());
      }),
    );
    if (unsent.length === 0) return;
    await database.withSystem((trx) => logUnsent(trx, unsent));
    await tellFilterErrors(database, unsent, now());
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
