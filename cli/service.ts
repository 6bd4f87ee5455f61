/** Commands for the machine of the service, which run its programs: verify, backup, restore, migrate, ops and company. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** Programs by the words that start them, with what they do. */
const PROGRAMS: readonly (readonly [words: string, module: string, description: string, fixed?: readonly string[]])[] =
  [
    ['verify', 'db/verify', 'checks all data: numbers, sums, entries, chains'],
    ['backup', 'runtime/backup/backup', 'writes a backup of the service on this machine'],
    ['restore', 'runtime/backup/restore', 'restores a backup into an empty DATA_DIR'],
    ['migrate', 'db/migrate', 'brings the schema to this release'],
    ['ops outbox', 'worker/outbox', 'lists events that were set aside'],
    [
      'ops retry',
      'worker/outbox',
      'hands events that were set aside over again: all, or those with the given ids',
      ['repeat'],
    ],
    ['ops stuck', 'worker/reconcile/main', 'counts work that should run and does not', ['--report']],
    ['ops resend', 'worker/reconcile/main', 'starts work that should run and does not'],
    ['company find', 'worker/company', 'lists companies with their ids and short names', ['find']],
    ['company export', 'worker/company', 'writes all data of a company to a file', ['export']],
    ['company import', 'worker/company', 'reads a company from a file', ['import']],
  ];

/** Runs a program of the service like `npm run`. @returns its exit code */
function run(module: string, args: readonly string[]): Promise<number> {
  const runner = process.env.BMS_RUNNER ?? fileURLToPath(new URL('../runtime/run.mjs', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [runner, module, ...args], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}

/** Adds the commands. @param groups commands whose commands they are, by their name */
export function addServiceCommands(program: Command, groups: Readonly<Record<string, Command>>): void {
  for (const [words, module, description, fixed = []] of PROGRAMS) {
    const [first = '', second] = words.split(' ');
    const parent = second === undefined ? program : (groups[first] as Command);
    parent
      .command(`${second ?? first} [arguments...]`)
      .description(`${description} (on the machine of the service)`)
      .allowUnknownOption()
      .helpOption(false)
      .action(async (args: string[]) => {
        process.exitCode = await run(module, [...fixed, ...args]);
      });
  }
}
