/** The relay without Temporal: what followers do for companies in the database happens, workflows are not started. */
import { Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { Database } from '../../db/database.ts';
import { ServiceClient } from '../../services/platform/temporal/client.ts';
import { ledger, notifications } from '../../worker/followers/companies.ts';
import { runRound } from '../../worker/relay/round.ts';
import { testCompanyNames } from './servers.ts';

const followers = [ledger, notifications];
const logger = pino({ level: 'silent' });

/** A client of a Temporal that is not there. */
export function absentTemporal() {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  return { client: new ServiceClient({ connection, names: testCompanyNames() }), close: () => connection.close() };
}

/** Hands over all pending events. */
export async function relayEvents(database: Database, now: () => Date): Promise<void> {
  const { client, close } = absentTemporal();
  while ((await runRound({ database, client, followers, logger, now }, () => false)).claimed > 0);
  await close();
}
