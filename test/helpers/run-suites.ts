/**
 * Runs suites in mocha, and those that failed once more by themselves.
 *
 * All processors are busy while thousands of cases run, and PostgreSQL, Temporal and Chrome with them: now and then a case
 * gives up waiting. What passes alone is no fault of the change at hand, but is named, since it may be a race.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Counts } from './reporter.ts';

const ROOT = join(import.meta.dirname, '../..');

/** More suites than these fail for a reason, so that they are not run again. */
const MOST_AGAIN = 5;

/**
 * Runs suites, prints what came of them, and sets the exit code of this process where one fails.
 *
 * @param suites paths of their files
 * @param how `args` go to mocha, `env` is added to that of this process
 */
export async function runSuites(
  suites: readonly string[],
  how: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const first = await mocha(suites, how.args ?? [], how.env ?? {});
  const failed = Object.keys(first).filter((suite) => first[suite]?.failed);
  const again = !failed.includes('') && failed.length > 0 && failed.length <= MOST_AGAIN;
  if (again) process.stdout.write(`\n== Run again by themselves: ${names(failed)}\n`);
  const second = again ? await mocha(failed, ['--jobs', '2', ...(how.args ?? [])], how.env ?? {}) : {};

  const results = Object.values({ ...first, ...second });
  const passedCases = results.reduce((sum, { passed }) => sum + passed, 0);
  const failedCases = results.reduce((sum, { failed }) => sum + failed, 0);
  const unsteady = Object.keys(second).filter((suite) => second[suite]?.failed === 0);
  if (unsteady.length > 0) process.stdout.write(`Unsteady, which passed alone: ${names(unsteady)}\n`);
  process.stdout.write(`${passedCases} passed, ${failedCases} failed\n`);
  if (failedCases > 0 || passedCases === 0) process.exitCode = 1;
}

/** @returns cases by suite; a failure without a suite if mocha ended otherwise */
async function mocha(suites: readonly string[], args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  try {
    const counts = join(folder, 'counts.json');
    const reporter = join(import.meta.dirname, 'reporter.ts');
    const run = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--reporter', reporter, ...args, ...suites],
      { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env, TEST_COUNTS: counts } },
    );
    const [code, signal] = await once(run, 'exit');
    const told = read(counts);
    if (told !== undefined && (code === 0 || Object.values(told).some(({ failed }) => failed > 0))) return told;
    process.stdout.write(`Mocha ended with ${signal ?? `exit code ${code}`}\n`);
    return { ...told, '': { passed: 0, failed: 1 } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(path: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // mocha ended before it could write it
  }
}

const names = (suites: readonly string[]) => suites.map((suite) => relative(ROOT, suite)).join(', ');
