/**
 * One round of the relay: claims a batch of events, hands them over, and settles them. It holds no open transaction while it waits for
 * Temporal; the lease keeps other relays away, and expires if this process dies.
 */
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import {
  type Claim,
  type ClaimedEvent,
  claimEvents,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../services/platform/outbox/claim.ts';
import type { Follower, FollowerDeps } from '../followers/follower.ts';
import { FOLLOWERS } from '../followers/index.ts';
import { Batch, type Outcome } from './batch.ts';
import { failureMessage, isOwnFailure } from './failures.ts';
import { Following } from './following.ts';
import { continueTrace, handOver } from './hand-over.ts';
import { holdLease } from './lease.ts';

export const BATCH = 500;
const LEASE_SECONDS = 15;
/**
 * Entities handled concurrently, of all companies: enough to keep a server busy whose writes queue behind each other, few enough that work
 * a person waits for does not queue behind many.
 */
const PARALLEL = 8;
/** Companies handled concurrently. */
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
  /** The company whose events are claimed; of all by default. */
  readonly only?: string;
  /** Called with what was claimed. */
  readonly claimed?: (events: readonly ClaimedEvent[]) => void;
  /** The most events to claim. */
  readonly limit?: number;
  /** Called with the number of workflows that an event starts. */
  readonly started?: (event: ClaimedEvent, workflows: number) => void;
  /** Called with each company whose events of the round are done. */
  readonly ended?: (company: string) => void;
}

/** @returns how many events were claimed, and whether something is down that all of them need */
export async function runRound(
  deps: RoundDeps,
  isStopping: () => boolean,
  { held = [], only, claimed, limit = BATCH, started, ended }: RoundOptions = {},
): Promise<{ claimed: number; outage: boolean }> {
  const { database, followers = FOLLOWERS, leaseSeconds: seconds = LEASE_SECONDS } = deps;
  const claimedAt = performance.now();
  const claim: Claim = { owner: newId(), seconds };
  const reads = [...new Set(followers.flatMap(({ reads = [] }) => reads))];
  const events = await database.withSystem((trx) =>
    claimEvents(trx, claim, limit, { reads, held, only: only ?? null }),
  );
  claimed?.(events);
  if (events.length === 0) return { claimed: 0, outage: false };

  const batch = new Batch(events);
  const following = new Following(followers);
  const lease = holdLease(deps, claim, ids(events), claimedAt);
  try {
    await batch.prepareAll((some) => database.withSystem((trx) => following.look(trx, some)));
    const mayGoOn = () => !isStopping() && !batch.outage && lease.isSafe();
    // Companies go on side by side, so that none waits for what the events of another one start.
    const companies = batch.dueByCompany();
    const parallel = Math.max(1, Math.floor(PARALLEL / Math.min(COMPANIES, companies.length)));
    const work = async ([tenantId, entities]: [string, readonly ClaimedEvent[][]]) => {
      await handOverAll(deps, batch, following, { entities, parallel, mayGoOn });
      for (const follower of followers) await workForCompany(deps, batch, following, { follower, tenantId });
      const outcome = batch.outcome(tenantId);
      for (const event of outcome.handedOver) started?.(event, following.starts(event));
      await settle(deps, claim, outcome);
      ended?.(tenantId);
    };
    await pMap(companies, work, { concurrency: COMPANIES });
  } finally {
    await lease.end();
  }
  return { claimed: events.length, outage: batch.outage };
}

async function handOverAll(
  deps: RoundDeps,
  batch: Batch,
  following: Following,
  {
    entities,
    parallel,
    mayGoOn,
  }: { readonly entities: readonly ClaimedEvent[][]; readonly parallel: number; mayGoOn(): boolean },
): Promise<void> {
  const inOrder = async (events: readonly ClaimedEvent[]) => {
    for (const [event, calls] of following.callsFor(events)) {
      if (!mayGoOn()) return;
      try {
        await continueTrace(event, () => handOver(deps, calls));
        batch.succeed(event);
      } catch (error) {
        batch.refuse(event, error);
        // Later events of this entity wait for it.
        return;
      }
    }
  };
  await pMap(entities, inOrder, { concurrency: parallel });
}

async function workForCompany(
  deps: RoundDeps,
  batch: Batch,
  following: Following,
  { follower, tenantId }: { readonly follower: Follower; readonly tenantId: string },
): Promise<void> {
  if (follower.forCompany === undefined) return;
  const followed = following.followed(follower, batch.outcome(tenantId).handedOver);
  const concerned = follower.newestOnly === true ? followed.slice(-1) : followed;
  const { atATime = concerned.length } = follower;
  for (let from = 0; from < concerned.length; from += atATime) {
    await batch.tryAll(concerned.slice(from, from + atATime), async (some) =>
      follower.forCompany?.(deps, tenantId, some),
    );
  }
}

async function settle(deps: RoundDeps, claim: Claim, { handedOver, failed, untried }: Outcome): Promise<void> {
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
