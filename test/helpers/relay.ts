/** The relay without Temporal: reactions for companies happen, workflows are not started. */
import { pino } from 'pino';
import type { Database } from '../../db/database.ts';
import { runRound } from '../../worker/relay/round.ts';

const NOBODY = { dispatch: async () => {}, startRun: async () => {} };

/** Hands over all pending events. */
export async function relayEvents(database: Database, now: () => Date): Promise<void> {
  const deps = { database, dispatcher: NOBODY, logger: pino({ level: 'silent' }), now };
  while ((await runRound(deps, () => false)).claimed > 0);
}
