/** The entry of `npm start`. */
import type { AppPart } from './apps.ts';
import { waitForApi, waitForWorker } from './health.ts';
import { NICENESS } from './niceness.ts';
import { runService } from './service.ts';

/** Both need up to seven seconds; with what Temporal and PostgreSQL may take after them, a stop stays below ten. */
const APPS_STOP_MS = 7300;

/**
 * The worker has two heaps of V8. Without this threshold glibc keeps ever more freed memory, up to 64 MB, once large blocks are freed.
 * The API, whose answers people wait for, keeps to its limit without them (decision 0184).
 */
const LITTLE_MEMORY = { node: ['--max-semi-space-size=8'], env: { MALLOC_TRIM_THRESHOLD_: String(128 * 1024) } };

const APPS: AppPart[] = [
  { name: 'Migrations', module: 'db/migrate' },
  { name: 'API', module: 'api/server', ready: waitForApi, stopMs: APPS_STOP_MS },
  // It gives running activities four seconds, and needs some more to close.
  {
    name: 'Worker',
    module: 'worker/main',
    args: ['--grace', '4'],
    ...LITTLE_MEMORY,
    niceness: NICENESS.worker,
    ready: waitForWorker,
    stopMs: APPS_STOP_MS,
  },
];

process.exit(await runService(process.env, APPS));
