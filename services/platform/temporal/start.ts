/** Starts workflows from API and workers alike, by their contracts (`workflows/<domain>/contract.ts`). */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';

/** A workflow with all its start options. */
export type WorkflowStart = WorkflowStartOptions & { readonly workflow: string };

/** Starts a workflow, unless one with its id was started before. @returns whether it was started now */
export async function startOnce(client: Client, { workflow, ...options }: WorkflowStart): Promise<boolean> {
  try {
    await client.workflow.start(workflow, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Waits for the result of a workflow, which is started unless one with its id was started before. */
export async function awaitResult<Result>(client: Client, start: WorkflowStart): Promise<Result> {
  await startOnce(client, start);
  return (await client.workflow.getHandle(start.workflowId).result()) as Result;
}

/** Signals a workflow, starting it first unless it is running. */
export async function signalWithStart<Message>(
  client: Client,
  { workflow, ...options }: WorkflowStart,
  signal: SignalDefinition<[Message]>,
  message: Message,
): Promise<void> {
  await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [message] });
}

/** Runs a call that applies only to a running workflow; does nothing if it has ended. */
export async function unlessEnded(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Whether a workflow is running; asks the workflow itself, because lists lag behind. */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  let running = false;
  await unlessEnded(async () => {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    running = status.name === 'RUNNING';
  });
  return running;
}
