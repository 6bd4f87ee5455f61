/** Explains the workflows that are open after a run: each must wait for something that has not happened. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Target } from './target.ts';

/** Lifecycles wait for payments, the rest of these for the clock. */
const WAITING = new Set(['documentLifecycle', 'maintenance', 'storageMeasurement', 'dailySummaries']);
/** After it, what was interrupted has been repeated. */
const QUIET_MS = 90_000;
const LOOK_MS = 2000;

/** @returns a sentence for each open workflow that waits for nothing */
export async function unexplainedWorkflows({ temporal }: Target): Promise<string[]> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const until = performance.now() + QUIET_MS;
    for (;;) {
      const stuck = await stuckWorkflows(client);
      if (stuck.length === 0 || performance.now() > until) return stuck;
      await sleep(LOOK_MS);
    }
  } finally {
    await connection.close();
  }
}

async function stuckWorkflows(client: Client): Promise<string[]> {
  const stuck: string[] = [];
  for await (const { workflowId, type } of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    if (type.startsWith('temporal-sys-')) continue;
    if (!WAITING.has(type)) {
      stuck.push(`${type} ${workflowId} is open`);
      continue;
    }
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const failing = (raw.pendingActivities ?? []).length + Number(raw.pendingWorkflowTask?.attempt ?? 0);
    if (failing > 0) stuck.push(`${type} ${workflowId} is open and does not wait`);
  }
  return stuck;
}
