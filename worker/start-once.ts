import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';

/** Starts a workflow unless one of its id was started before. */
export async function startOnce(client: Client, workflow: string, options: WorkflowStartOptions): Promise<void> {
  try {
    await client.workflow.start(workflow, options);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
