/** The least that a workflow with one activity can be. */
import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '25 seconds' });

export async function bare(): Promise<void> {
  await nothing();
}
