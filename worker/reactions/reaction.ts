/** A reaction to an event. Each may be repeated: ids and event ids make the repetition a no-op. */
import type { Client } from '@temporalio/client';
import type { Database } from '../../db/database.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { startOnce, unlessEnded, type WorkflowStart } from '../../services/platform/temporal/start.ts';

export interface Reaction {
  /** Members of the event's data that it needs; all others stay in the outbox. */
  readonly reads?: readonly string[];
  readonly follows: (event: ClaimedEvent) => boolean;
  /** True where only the last state of the entity matters: of several events in a batch, only the newest is reacted to. */
  readonly newestOnly?: boolean;
  /**
   * @param merged with `newestOnly`, the earlier events in the batch
   * @throws Error when Temporal cannot accept it: the event is tried again
   */
  readonly react: (client: Client, event: ClaimedEvent, merged: readonly ClaimedEvent[]) => Promise<void>;
}

/**
 * What is done for a company after a batch of its events, before they count as handed over. Without `follows` it is about the company, and
 * a failure brings back the last event; else about these events, which a failure brings back.
 */
export interface CompanyReaction {
  readonly follows?: (event: ClaimedEvent) => boolean;
  readonly react: (
    database: Database,
    tenantId: string,
    events: readonly ClaimedEvent[],
    now: () => Date,
  ) => Promise<void>;
}

/** Starts a workflow for an event, once. */
export function starts(
  name: string,
  start: (event: ClaimedEvent) => WorkflowStart,
  reads: readonly string[] = [],
): Reaction {
  return {
    reads,
    follows: ({ event }) => event === name,
    react: async (client, event) => {
      await startOnce(client, start(event));
    },
  };
}

/** Cancels a workflow for an event, if it still runs. */
export function cancels(
  name: string,
  workflowId: (event: ClaimedEvent) => string,
  reads: readonly string[] = [],
): Reaction {
  return {
    reads,
    follows: ({ event }) => event === name,
    react: (client, event) =>
      unlessEnded(async () => {
        await client.workflow.getHandle(workflowId(event)).cancel();
      }),
  };
}
