/** The entry of `npm start`. */
import type { AppPart } from './apps.ts';
import { waitForApi, waitForWorker } from './health.ts';
import { NICENESS } from './niceness.ts';
import { runService } from './service.ts';

/** API and worker need up to seven seconds to stop; together with Temporal and PostgreSQL, a stop takes less than ten. */
const APPS_STOP_MS = 7300;

/** Without this threshold glibc keeps more and more freed memory, up to 64 MB, once large blocks are freed (decision 0184). */
const GIVE_BACK = { MALLOC_TRIM_THRESHOLD_: String(128 * 1024) };
/** For the worker, which has two V8 heaps. The API, whose answers people wait for, would be slower. */
const SMALL_SEMI_SPACES = ['--max-semi-space-size=8'];

const APPS: AppPart[] = [
  { name: 'Migrations', module: 'db/migrate' },
  { name: 'API', module: 'api/server', env: GIVE_BACK, ready: waitForApi, stopMs: APPS_STOP_MS },
  // It gives running activities four seconds, and then needs some time to close.
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
