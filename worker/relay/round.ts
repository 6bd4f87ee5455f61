/**
 * One round of the relay: claims a batch of events, hands them over, and settles them. It holds no open transaction while it waits for
 * Temporal; the lease keeps other relays away, and expires if this process dies.
 */
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { groupBy } from '../../domain/group-by.ts';
import { findTriggeredRules } from '../../services/integrations/automations/interest.ts';
import { logUnsent, skippedAttempt, unfilteredAttempt } from '../../services/integrations/webhooks/attempts.ts';
import { alertFilterErrors } from '../../services/integrations/webhooks/daily-alerts.ts';
import {
  type Claim,
  type ClaimedEvent,
  claimEvents,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../services/platform/outbox/claim.ts';
import { type InterestedWebhook, interestedWebhooks } from '../../services/platform/outbox/interest.ts';
import { callsFor } from '../reactions/calls.ts';
import { COMPANY_REACTIONS, READ_OF_EVENTS } from '../reactions/index.ts';
import { Batch } from './batch.ts';
import type { Dispatcher } from './dispatch.ts';
import { isOwnFailure, messageOf } from './failures.ts';
import { holdLease } from './lease.ts';
import { runRules } from './rules.ts';

export const BATCH = 500;
const LEASE_SECONDS = 15;
/**
 * Entities handled concurrently: enough to keep a server busy whose writes queue up for each other, few enough that what a person waits for
 * does not stand behind many.
 */
const PARALLEL = 8;
/** Companies handled concurrently after a batch. */
const COMPANIES = 4;
const MAX_BACKOFF_SECONDS = 15;

export interface RoundDeps {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'startRun'>;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Called for each event that was handed over to everybody who wanted it. */
  readonly handedOver?: (event: ClaimedEvent) => void;
  /** How long events stay claimed without renewal; 15 by default. */
  readonly leaseSeconds?: number;
}

type Interest = ReadonlyMap<string, readonly InterestedWebhook[]>;

/** @returns how many events were claimed, and whether something is down that all of them need */
export async function runRound(
  deps: RoundDeps,
  isStopping: () => boolean,
): Promise<{ claimed: number; outage: boolean }> {
  const { database, leaseSeconds: seconds = LEASE_SECONDS } = deps;
  const claimedAt = performance.now();
  const claim: Claim = { owner: newId(), seconds };
  const events = await database.withSystem((trx) => claimEvents(trx, claim, BATCH, READ_OF_EVENTS));
  if (events.length === 0) return { claimed: 0, outage: false };

  const batch = new Batch(events);
  const lease = holdLease(deps, claim, ids(events), claimedAt);
  try {
    const { interest, triggering } = await interestIn(database, batch);
    await handOver(deps, batch, interest, () => !isStopping() && !batch.outage && lease.isSafe());
    await logWhatIsUnsent(deps, batch, interest);
    await runRules({ ...deps, startRun: (run) => deps.dispatcher.startRun(run) }, batch, triggering);
    await reactForCompanies(deps, batch);
  } finally {
    await lease.end();
  }
  await settle(deps, claim, batch);
  return { claimed: events.length, outage: batch.outage };
}

/** Which webhooks want the events, and which rules they trigger. */
async function interestIn(database: Database, batch: Batch) {
  const found = await batch.forEach(batch.events, (events) =>
    database.withSystem((trx) => Promise.all([interestedWebhooks(trx, events), findTriggeredRules(trx, events)])),
  );
  const interest: Interest = new Map(found.flatMap(([webhooks]) => [...webhooks]));
  return { interest, triggering: found.flatMap(([, rules]) => rules) };
}

async function handOver(
  { dispatcher }: RoundDeps,
  batch: Batch,
  interest: Interest,
  mayGoOn: () => boolean,
): Promise<void> {
  const inOrder = async (events: readonly ClaimedEvent[]) => {
    for (const [event, calls] of callsFor(events)) {
      if (!mayGoOn()) return;
      const webhooks = interest.get(event.id) ?? [];
      try {
        await dispatcher.dispatch(
          event,
          webhooks.filter(({ active, filterError }) => active && filterError === null),
          calls,
        );
        batch.succeed(event);
      } catch (error) {
        batch.refuse(event, error);
        // Later events of this entity wait for it.
        return;
      }
    }
  };
  await pMap(batch.dueByEntity(), inOrder, { concurrency: PARALLEL });
}

/**
 * Logs events that are not delivered: for inactive webhooks, and for those whose filters failed. While the lease is held, since they may be
 * very many; repeating it changes nothing.
 */
async function logWhatIsUnsent({ database, now }: RoundDeps, batch: Batch, interest: Interest): Promise<void> {
  await batch.forEach(batch.handedOver, async (events) => {
    const unsent = events.flatMap((event) =>
      (interest.get(event.id) ?? []).flatMap(({ webhookId, active, event: name, filterError }) => {
        if (filterError !== null) return unfilteredAttempt({ ...event, event: name }, webhookId, filterError, now());
        return active ? [] : skippedAttempt({ ...event, event: name }, webhookId, now());
      }),
    );
    if (unsent.length === 0) return;
    await database.withSystem((trx) => logUnsent(trx, unsent));
    await alertFilterErrors(database, unsent, now());
  });
}

/** Other companies are not affected by a failure for one. */
async function reactForCompanies({ database, now }: RoundDeps, batch: Batch): Promise<void> {
  const companies = groupBy(batch.handedOver, ({ tenantId }) => tenantId);
  const react = async ([tenantId, events]: [string, ClaimedEvent[]]) => {
    for (const { follows, react } of COMPANY_REACTIONS) {
      const about = follows === undefined ? events.slice(-1) : events.filter(follows);
      await batch.tryAll(about, (some) => react(database, tenantId, some, now));
    }
  };
  await pMap(companies, react, { concurrency: COMPANIES });
}

async function settle(deps: RoundDeps, claim: Claim, batch: Batch): Promise<void> {
  const { handedOver, failed, untried } = batch;
  await deps.database.withSystem(async (trx) => {
    if (handedOver.length > 0) await markProcessed(trx, claim, ids(handedOver));
    for (const { event, error } of failed) await postpone(deps, trx, claim, event, error);
    if (untried.length > 0) await releaseEvents(trx, claim, ids(untried));
  });
  for (const event of handedOver) deps.handedOver?.(event);
  const [first] = failed;
  if (first === undefined) return;
  const { event, error } = first;
  deps.logger.warn(
    { ...about(event), attempts: event.attempts, failed: failed.length, error: messageOf(error) },
    'Events could not be handed to Temporal; they stay in the outbox and are tried again',
  );
}

async function postpone({ logger }: RoundDeps, trx: Db, claim: Claim, event: ClaimedEvent, error: unknown) {
  const failure = { error: messageOf(error), own: isOwnFailure(error), seconds: backoff(event.attempts) };
  if (!(await postponeEvent(trx, claim, event, failure))) return;
  logger.error(
    { ...about(event), error: failure.error },
    'An event was set aside because it cannot be handed over; later ones proceed without it. See npm run outbox',
  );
}

function about({ event, id, tenantId }: ClaimedEvent) {
  return { event, event_id: id, tenant_id: tenantId };
}

/** 1, 2, 4 … seconds. */
function backoff(attempts: number): number {
  return Math.min(2 ** Math.max(0, attempts - 1), MAX_BACKOFF_SECONDS);
}

function ids(events: readonly ClaimedEvent[]): string[] {
  return events.map((event) => event.id);
}
