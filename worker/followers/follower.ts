/**
 * A follower of events: a reaction of the service itself, the webhooks, the rules, the ledger. All of them are declared alike, and a round
 * of the relay goes through them. Everything may be repeated: ids and event ids make the repetition a no-op.
 */

import type { Database, Db } from '../../db/database.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import type { ServiceClient } from '../../services/platform/temporal/client.ts';
import { startOnce, unlessEnded, type WorkflowStart } from '../../services/platform/temporal/start.ts';

/** Time limit of one call to Temporal. */
const CALL_MS = 4000;

export interface FollowerDeps {
  readonly database: Database;
  readonly client: ServiceClient;
  readonly now: () => Date;
  /** Seconds after which a delivery to a webhook should begin, since others wait for its endpoint; 0 by default. */
  readonly deliveryDelay?: (webhookId: string, eventId: string) => number;
}

/** An event with what the follower found out about it; undefined for followers that do not look. */
export interface Followed<Found> {
  readonly event: ClaimedEvent;
  readonly found: Found;
}

export interface Follower<Found = unknown> {
  /** Members of the events' data that it needs; all others stay in the outbox. */
  readonly reads?: readonly string[];
  /** Whether it may follow an event; it may follow all of them by default. */
  follows?(event: ClaimedEvent): boolean;
  /**
   * Looks once at the events of a batch that it may follow.
   * @param trx a system transaction, shared with the other followers
   * @returns by event id, what it needs to know; it does not follow events that are absent
   */
  look?(trx: Db, events: readonly ClaimedEvent[]): Promise<ReadonlyMap<string, Found>>;
  /** True where only the last state matters: of several events of an entity (or company) in a batch, it gets only the newest. */
  readonly newestOnly?: boolean;
  /**
   * Hands one event over to Temporal, before the next one of its entity, in the time of one call; for more, it uses `inTime`.
   * @param merged with `newestOnly`, the entity's earlier events in the batch
   * @throws Error when Temporal cannot accept it: the event is tried again, and later events of its entity wait
   */
  handOver?(deps: FollowerDeps, followed: Followed<Found>, merged: readonly ClaimedEvent[]): Promise<void>;
  /** The workflows that it starts for an event; one by default, if it hands events over. */
  starts?(followed: Followed<Found>): number;
  /**
   * Works for a company after a batch of its events, before they count as handed over.
   * @throws Error when it fails: these events are tried again, others are not affected
   */
  forCompany?(deps: FollowerDeps, tenantId: string, followed: readonly Followed<Found>[]): Promise<void>;
  /** Maximum events per call of `forCompany`; unlimited by default. */
  readonly atATime?: number;
}

/** Starts a workflow for an event, once. */
export function starts(
  name: string,
  start: (event: ClaimedEvent) => WorkflowStart,
  reads: readonly string[] = [],
): Follower {
  return {
    reads,
    follows: ({ event }) => event === name,
    handOver: async ({ client }, { event }) => {
      await startOnce(client, start(event));
    },
  };
}

/** Cancels a workflow for an event, if it is still running. */
export function cancels(
  name: string,
  workflowId: (event: ClaimedEvent) => string,
  reads: readonly string[] = [],
): Follower {
  return {
    reads,
    follows: ({ event }) => event === name,
    handOver: ({ client }, { event }) =>
      unlessEnded(async () => {
        await client.workflow.getHandle(workflowId(event)).cancel();
      }),
  };
}

/** Gives calls to Temporal the time of one, also where the caller has less left. @throws Error when they fail or take too long */
export async function inTime(client: ServiceClient, calls: () => Promise<unknown>): Promise<void> {
  await client.withDeadline(Date.now() + CALL_MS, calls);
}
