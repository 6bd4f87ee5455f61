/** The entry of `npm start`. */
import type { AppPart } from './apps.ts';
import { waitForApi, waitForWorker } from './health.ts';
import { runService } from './service.ts';

/** With what Temporal and PostgreSQL may take after it, a stop stays below ten seconds. */
const APPS_STOP_MS = 6500;

const APPS: AppPart[] = [
  { name: 'Migrations', module: 'db/migrate' },
  { name: 'API', module: 'api/server', ready: waitForApi, stopMs: APPS_STOP_MS },
  // It gives running activities four seconds, and needs some more to close.
  { name: 'Worker', module: 'worker/main', args: ['--grace', '4'], ready: waitForWorker, stopMs: APPS_STOP_MS },
];

process.exit(await runService(process.env, APPS));
