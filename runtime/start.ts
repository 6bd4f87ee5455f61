/** The entry of `npm start`. */
import type { AppPart } from './apps.ts';
import { waitForApi, waitForWorker } from './health.ts';
import { NICENESS } from './niceness.ts';
import { runService } from './service.ts';

/** Both need up to seven seconds; with what Temporal and PostgreSQL may take after them, a stop stays below ten. */
const APPS_STOP_MS = 7300;

/** Without this threshold glibc keeps ever more freed memory, up to 64 MB, once large blocks are freed (decision 0184). */
const GIVE_BACK = { MALLOC_TRIM_THRESHOLD_: String(128 * 1024) };
/** The worker has two heaps of V8. The API, whose answers people wait for, would be slower by it. */
const SMALL_SEMI_SPACES = ['--max-semi-space-size=8'];

const APPS: AppPart[] = [
  { name: 'Migrations', module: 'db/migrate' },
  { name: 'API', module: 'api/server', env: GIVE_BACK, ready: waitForApi, stopMs: APPS_STOP_MS },
  // It gives running activities four seconds, and needs some more to close.
  {
    name: 'Worker',
    module: 'worker/main',
    args: ['--grace', '4'],
    node: SMALL_SEMI_SPACES,
    env: GIVE_BACK,
    niceness: NICENESS.worker,
    ready: waitForWorker,
    stopMs: APPS_STOP_MS,
  },
];

process.exit(await runService(process.env, APPS));
