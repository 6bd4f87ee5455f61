/**
 * Generates clients from the description of a running service, and uses each: log in, list, create, read, send the whole back
 * with one change, be refused. Holds the description against the linters besides. Everything is made in a temporary folder.
 */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../runtime/errors.ts';
import { OWNER, startTestApp } from '../helpers/app.ts';
import { removeAbandonedRuns, stopTestServers } from '../helpers/servers.ts';

const NPM = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.80.0',
  '@openapitools/openapi-generator-cli': '2.25.2',
  typescript: '5.9.3',
  tsx: '4.23.15',
  '@types/node': '20.19.43',
};
/** Run on their own: together with others their packages do not fit. */
const REDOCLY_CLI = '@redocly/cli@2.14.5';
const SPECTRAL_CLI = '@stoplight/spectral-cli@6.16.3';
const GENERATOR = '7.17.0';
const PYTHON = ['urllib3', 'pydantic', 'python-dateutil', 'typing-extensions'];
const USES = new URL('./use/', import.meta.url);
/** Paths such as /api/sales/{id}/pdf and /api/sales/invoices/{id} are told apart by their ids, which are UUIDs. */
const REDOCLY = 'extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n';
const COMPILER = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];

const folder = mkdtempSync(join(tmpdir(), 'clients-'));

/** Runs a command in the folder; the service answers meanwhile. @throws Error with what the command has said */
async function run(command: string, ...words: string[]): Promise<void> {
  await promisify(execFile)(command, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error: Error) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${words.join(' ')}: ${stdout}\n${stderr}`.slice(0, 8000), { cause: error });
  });
}

function use(file: string): void {
  copyFileSync(new URL(file, USES), join(folder, file));
}

function checkTypes(...files: string[]): Promise<void> {
  return run('npx', 'tsc', ...COMPILER, '--types', 'node', '--allowImportingTsExtensions', ...files);
}

type Check = (address: string) => Promise<void>;
const account = [OWNER.email, OWNER.password];

const CHECKS: Readonly<Record<string, Check>> = {
  async 'Redocly, recommended'() {
    writeFileSync(join(folder, 'redocly.yaml'), REDOCLY);
    await run('npx', '--yes', REDOCLY_CLI, 'lint', '--max-problems', '20', 'openapi.json');
  },
  async 'Spectral, spectral:oas'() {
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    await run('npx', '--yes', SPECTRAL_CLI, 'lint', '--fail-severity', 'hint', 'openapi.json');
  },
  async 'openapi-typescript with openapi-fetch'(address) {
    await run('npx', 'openapi-typescript', 'openapi.json', '-o', 'schema.ts');
    use('openapi-fetch.mts');
    await checkTypes('openapi-fetch.mts');
    await run('npx', 'tsx', 'openapi-fetch.mts', address, ...account);
  },
  async '@hey-api/openapi-ts'(address) {
    await run('npx', 'openapi-ts', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch');
    use('hey-api.mts');
    await run('npx', 'tsx', 'hey-api.mts', address, ...account);
  },
  async 'openapi-generator, python'(address) {
    await run('npx', 'openapi-generator-cli', 'version-manager', 'set', GENERATOR);
    const generate = [
      'generate',
      '-g',
      'python',
      '-i',
      'openapi.json',
      '-o',
      '.',
      '--package-name',
      'business_service',
    ];
    await run('npx', 'openapi-generator-cli', ...generate);
    await run('python3', '-m', 'venv', 'venv');
    await run('venv/bin/pip', 'install', '-q', ...PYTHON);
    use('use_python.py');
    await run('venv/bin/python', 'use_python.py', address, ...account);
  },
};

/** Why a check cannot run on this machine; undefined when it can. */
function obstacle(name: string): string | undefined {
  if (!name.startsWith('openapi-generator')) return undefined;
  const lacking = [
    ['java', '-version'],
    ['python3', '--version'],
  ].find(([command = '', word = '']) => spawnSync(command, [word]).status !== 0);
  return lacking && `there is no ${lacking[0]}`;
}

async function main(): Promise<number> {
  let failures = 0;
  await removeAbandonedRuns();
  const app = await startTestApp();
  try {
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${app.address}/api/openapi.json`)).text());
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: NPM }));
    await run('npm', 'install', '--no-audit', '--no-fund', '--no-package-lock');
    for (const [name, check] of Object.entries(CHECKS)) {
      const why = obstacle(name);
      if (why !== undefined) {
        process.stdout.write(`skipped  ${name}: ${why}\n`);
        continue;
      }
      try {
        await check(app.address);
        process.stdout.write(`passed   ${name}\n`);
      } catch (error) {
        failures++;
        process.stdout.write(`FAILED   ${name}: ${errorMessage(error)}\n`);
      }
    }
  } finally {
    await app.stop();
    await stopTestServers();
    if (failures === 0) rmSync(folder, { recursive: true });
    else process.stdout.write(`What was generated is in ${folder}\n`);
  }
  return failures;
}

process.exitCode = (await main()) > 0 ? 1 : 0;
