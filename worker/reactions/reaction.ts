/** What follows from an event. Each may be repeated: ids and event ids make the repeat a no-op. */
import { type Client, WorkflowNotFoundError, type WorkflowStartOptions } from '@temporalio/client';
import type { Database } from '../../db/database.ts';
import type { ClaimedEvent } from '../../services/outbox/claim.ts';
import { startOnce } from '../start-once.ts';

export interface Reaction {
  readonly follows: (event: ClaimedEvent) => boolean;
  /** @throws Error when Temporal cannot take it: the event is tried again */
  readonly react: (client: Client, event: ClaimedEvent) => Promise<void>;
}

/** What is done for a company after a batch of its events, before they count as handed over: a failure brings them back. */
export interface CompanyReaction {
  readonly react: (database: Database, tenantId: string) => Promise<void>;
}

/** A workflow that an event starts, once. */
export function starts(
  name: string,
  workflow: string | ((event: ClaimedEvent) => string),
  options: (event: ClaimedEvent) => WorkflowStartOptions,
): Reaction {
  const of = typeof workflow === 'string' ? () => workflow : workflow;
  return {
    follows: ({ event }) => event === name,
    react: (client, event) => startOnce(client, of(event), options(event)),
  };
}

/** A workflow that an event cancels, if it still runs. */
export function cancels(name: string, workflowId: (event: ClaimedEvent) => string): Reaction {
  return {
    follows: ({ event }) => event === name,
    react: (client, event) =>
      unlessEnded(async () => {
        await client.workflow.getHandle(workflowId(event)).cancel();
      }),
  };
}

/** Does what is only for a workflow that still runs. */
export async function unlessEnded(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
