/** Runs the rules with the start-up trigger once the service has started; retries until Temporal accepts them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { runStartupRules } from '../services/integrations/automations/startup.ts';
import type { ServiceClient } from '../services/platform/temporal/client.ts';
import { startOnce } from '../services/platform/temporal/start.ts';
import { automationRunStart } from '../workflows/integrations/automations/contract.ts';

const RETRY_MS = 10_000;

export async function atStartup(deps: {
  readonly database: Database;
  readonly client: ServiceClient;
  readonly logger: Logger;
  readonly stop: AbortSignal;
}): Promise<void> {
  const { database, client, logger, stop } = deps;
  const startRun = async (run: Parameters<typeof automationRunStart>[0]) => {
    await startOnce(client, automationRunStart(run));
  };
  while (!stop.aborted) {
    try {
      await runStartupRules(database, () => new Date(), startRun);
      return;
    } catch (error) {
      logger.warn({ error: String(error) }, 'Automations with the start-up trigger could not be started');
      await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
