import type { Client } from '@temporalio/client';
import { MAINTENANCE, PRUNING_ID } from '../workflows/maintenance/contract.ts';
import { runHourly } from './hourly.ts';

/** Has what is not kept any longer deleted every hour. */
export async function schedulePruning(client: Client): Promise<void> {
  await runHourly(client, {
    id: PRUNING_ID,
    workflow: MAINTENANCE,
    minute: 30,
    work: 'pruning',
    summary: 'what is not kept any longer is deleted (events handed over, logs of deliveries, ended tasks …)',
  });
}
