/**
 * One round of the relay: claims a batch of events, hands them over, and settles them. It holds no open transaction while it waits for
 * Temporal; the lease keeps other relays away, and expires if this process dies.
 */
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { groupBy } from '../../domain/group-by.ts';
import {
  type Claim,
  type ClaimedEvent,
  claimEvents,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../services/platform/outbox/claim.ts';
import type { Followed, Follower, FollowerDeps } from '../followers/follower.ts';
import { FOLLOWERS } from '../followers/index.ts';
import { Batch } from './batch.ts';
import { failureMessage, isOwnFailure } from './failures.ts';
import { Following } from './following.ts';
import { handOver } from './hand-over.ts';
import { holdLease } from './lease.ts';

export const BATCH = 500;
const LEASE_SECONDS = 15;
/**
 * Entities handled concurrently: enough to keep a server busy whose writes queue behind each other, few enough that work a person waits for
 * does not queue behind many.
 */
const PARALLEL = 8;
/** Companies handled concurrently after a batch. */
const COMPANIES = 4;
const MAX_BACKOFF_SECONDS = 15;

export interface RoundDeps extends FollowerDeps {
  readonly logger: Logger;
  /** All followers by default. */
  readonly followers?: readonly Follower[];
  /** Called for each event that was handed over to everybody who follows it. */
  readonly handedOver?: (event: ClaimedEvent) => void;
  /** How long events stay claimed without renewal; 15 by default. */
  readonly leaseSeconds?: number;
}

export interface RoundOptions {
  /** Companies whose events are left for later. */
  readonly held?: readonly string[];
  /** Called with what was claimed. */
  readonly claimed?: (events: readonly ClaimedEvent[]) => void;
  /** The most events to claim. */
  readonly limit?: number;
  /** Called with the number of workflows that an event starts. */
  readonly started?: (event: ClaimedEvent, workflows: number) => void;
}

/** @returns how many events were claimed, and whether something is down that all of them need */
export async function runRound(
  deps: RoundDeps,
  isStopping: () => boolean,
  { held = [], claimed, limit = BATCH, started }: RoundOptions = {},
): Promise<{ claimed: number; outage: boolean }> {
  const { database, followers = FOLLOWERS, leaseSeconds: seconds = LEASE_SECONDS } = deps;
  const claimedAt = performance.now();
  const claim: Claim = { owner: newId(), seconds };
  const reads = [...new Set(followers.flatMap(({ reads = [] }) => reads))];
  const events = await database.withSystem((trx) => claimEvents(trx, claim, limit, { reads, held }));
  claimed?.(events);
  if (events.length === 0) return { claimed: 0, outage: false };

  const batch = new Batch(events);
  const following = new Following(followers);
  const lease = holdLease(deps, claim, ids(events), claimedAt);
  try {
    await batch.prepareAll((some) => database.withSystem((trx) => following.look(trx, some)));
    await handOverAll(deps, batch, following, () => !isStopping() && !batch.outage && lease.isSafe());
    for (const follower of followers) await workForCompanies(deps, batch, following, follower);
    for (const event of batch.handedOver) started?.(event, following.starts(event));
  } finally {
    await lease.end();
  }
  await settle(deps, claim, batch);
  return { claimed: events.length, outage: batch.outage };
}

async function handOverAll(deps: RoundDeps, batch: Batch, following: Following, mayGoOn: () => boolean): Promise<void> {
  const inOrder = async (events: readonly ClaimedEvent[]) => {
    for (const [event, calls] of following.callsFor(events)) {
      if (!mayGoOn()) return;
      try {
        await handOver(deps, calls);
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

/** Other companies are not affected by a failure for one. */
async function workForCompanies(deps: RoundDeps, batch: Batch, following: Following, follower: Follower) {
  if (follower.forCompany === undefined) return;
  const followed = following.followed(follower, batch.handedOver);
  const work = async ([tenantId, all]: [string, Followed<unknown>[]]) => {
    const concerned = follower.newestOnly === true ? all.slice(-1) : all;
    const { atATime = concerned.length } = follower;
    for (let from = 0; from < concerned.length; from += atATime) {
      await batch.tryAll(concerned.slice(from, from + atATime), async (some) =>
        follower.forCompany?.(deps, tenantId, some),
      );
    }
  };
  await pMap(
    groupBy(followed, ({ event }) => event.tenantId),
    work,
    { concurrency: COMPANIES },
  );
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
    { ...about(event), attempts: event.attempts, failed: failed.length, error: failureMessage(error) },
    'Events could not be handed to Temporal; they stay in the outbox and are tried again',
  );
}

async function postpone({ logger }: RoundDeps, trx: Db, claim: Claim, event: ClaimedEvent, error: unknown) {
  const failure = { error: failureMessage(error), own: isOwnFailure(error), seconds: backoff(event.attempts) };
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
