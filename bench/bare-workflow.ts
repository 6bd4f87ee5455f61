/** The smallest possible workflow with one activity. */
import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '25 seconds' });

export async function bare(): Promise<void> {
  await nothing();
}
