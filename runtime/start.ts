/** The entry of `npm start`. */
import type { AppPart } from './apps.ts';
import { waitForApi, waitForWorker } from './health.ts';
import { runService } from './service.ts';

const APPS: AppPart[] = [
  { name: 'Migrations', module: 'db/migrate' },
  { name: 'API', module: 'api/server', ready: waitForApi, stopMs: 2000 },
  { name: 'Worker', module: 'worker/main', ready: waitForWorker, stopMs: 4500 },
];

process.exit(await runService(process.env, APPS));
