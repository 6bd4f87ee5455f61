/**
 * Runs all suites: `npm test`. What else is given goes to mocha, for example `npm test -- --grep stock`.
 *
 * Mocha hands files to its processes in the order in which they come. Long suites wait more than they compute, so they come
 * evenly among the others, which use the processors meanwhile, and none comes last.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runSuites } from './helpers/run-suites.ts';

const TEST = import.meta.dirname;

/** Suites of a minute or nearly so, the longest first. */
const LONG: readonly string[] = [
  'workflows/platform/priorities/turns.test.ts',
  'workflows/integrations/webhooks/redelivery.test.ts',
  'worker/reconcile/reconcile.test.ts',
  'workflows/platform/tasks/import-file.test.ts',
  'model/documents.test.ts',
  'api/processes.test.ts',
  'workflows/trade/payments/reconciliation.test.ts',
  'worker/outages.test.ts',
  'worker/kills.test.ts',
  'api/stalled-clients.test.ts',
  'api/operation/health/operation.test.ts',
  'workflows/platform/tasks/import-statements.test.ts',
  'runtime/start.test.ts',
  'e2e/start.test.ts',
  'workflows/integrations/automations/kills.test.ts',
];

/** Folders whose suites mostly wait for workflows and processes: by themselves they would leave processors idle at the end. */
const WAITING = /^(concurrency|e2e|runtime|worker|workflows)\//;

/** Spreads some among the others, evenly and in order. */
function spread(some: readonly string[], others: readonly string[]): string[] {
  const places = [
    ...some.map((name, nth) => ({ name, place: (nth + 0.5) / some.length })),
    ...others.map((name, nth) => ({ name, place: (nth + 0.5) / others.length })),
  ];
  return places.sort((one, other) => one.place - other.place).map(({ name }) => name);
}

/** Returns all suites, with a long one at the start of each share. */
function inOrder(): string[] {
  const suites = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const missing = LONG.filter((name) => !suites.includes(name));
  if (missing.length > 0) throw new Error(`There are no suites ${missing.join(', ')}`);
  const all = suites.filter((name) => !LONG.includes(name)).sort();
  const others = spread(
    all.filter((name) => WAITING.test(name)),
    all.filter((name) => !WAITING.test(name)),
  );
  // The last share is twice as large, so that processes end at about the same time.
  const share = Math.floor(others.length / (LONG.length + 1));
  return [...LONG.flatMap((name) => [name, ...others.splice(0, share)]), ...others];
}

await runSuites(
  inOrder().map((name) => join(TEST, name)),
  { args: process.argv.slice(2) },
);
