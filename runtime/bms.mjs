#!/usr/bin/env node
/** `npx bms …`: the command line. Compiles the service first if its sources have changed. */
import { fileURLToPath } from 'node:url';

process.env.BMS_RUNNER ??= fileURLToPath(new URL('run.mjs', import.meta.url));
process.argv.splice(1, 1, fileURLToPath(new URL('run.mjs', import.meta.url)), 'cli/main');
await import('./run.mjs');
