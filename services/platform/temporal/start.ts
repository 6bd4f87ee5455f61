/** Workflows started from outside, by API and workers alike: with what, their contracts say (`workflows/<domain>/contract.ts`). */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';

/** A workflow and all that it is started with. */
export type WorkflowStart = WorkflowStartOptions & { readonly workflow: string };

/** Starts it unless one of its id was started before. @returns whether it was started now */
export async function startOnce(client: Client, { workflow, ...options }: WorkflowStart): Promise<boolean> {
  try {
    await client.workflow.start(workflow, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** The result of the workflow, which is started unless one of its id was started before. */
export async function awaitResult<Result>(client: Client, start: WorkflowStart): Promise<Result> {
  await startOnce(client, start);
  return (await client.workflow.getHandle(start.workflowId).result()) as Result;
}

/** Signals it, and starts it first unless it runs. */
export async function signalWithStart<Message>(
  client: Client,
  { workflow, ...options }: WorkflowStart,
  signal: SignalDefinition<[Message]>,
  message: Message,
): Promise<void> {
  await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [message] });
}

/** Does what is only for a workflow that still runs. */
export async function unlessEnded(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Whether it runs, asked of the workflow itself: lists lag behind. */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  let running = false;
  await unlessEnded(async () => {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    running = status.name === 'RUNNING';
  });
  return running;
}
