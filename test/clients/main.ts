/**
 * Generates clients from the description of a running service, and uses each: log in, list, create, read, send the whole back
 * with one change, be refused. Holds the description against the linters besides. Everything is made in a temporary folder.
 */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeCollection } from '../../clients/bruno/write.ts';
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
const BRUNO_CLI = '@usebruno/cli@4.1.0';
const GENERATOR = '7.16.0';
const PYTHON = ['urllib3', 'pydantic', 'python-dateutil', 'typing-extensions'];
const PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const GO_CLIENT = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const GO_FORM = 'package: main\noutput: go/client.go\ngenerate:\n  models: true\n  client: true\n';
const USES = new URL('./use/', import.meta.url);
const USE_WHEEL = `
import sys
from business_management_client import Client
address, email, password = sys.argv[1:]
with Client(address, email=email, password=password) as client:
    assert client.partner_groups.list().first()
`;
/** Paths such as /api/sales/{id}/pdf and /api/sales/invoices/{id} are told apart by their ids, which are UUIDs. */
const REDOCLY = 'extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n';
const COMPILER = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];

/** Part of the names of the checks to run; all without it. */
const [ONLY = ''] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), 'clients-'));

/** Runs a command in the folder; the service answers meanwhile. @throws Error with what the command has said */
async function run(command: string, ...words: string[]): Promise<void> {
  await promisify(execFile)(command, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error: Error) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${words.join(' ')}: ${stdout}\n${stderr}`.slice(0, 8000), { cause: error });
  });
}

function use(file: string, target = '.'): void {
  copyFileSync(new URL(file, USES), join(folder, target, file));
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
    await generate('python', '.', '--package-name', 'business_service');
    await run('python3', '-m', 'venv', 'venv');
    await run('venv/bin/pip', 'install', '-q', ...PYTHON);
    use('use_python.py');
    await run('venv/bin/python', 'use_python.py', address, ...account);
  },
  async 'openapi-generator, typescript-fetch'(address) {
    await generate('typescript-fetch', 'typescript-fetch', '--additional-properties', 'importFileExtension=.ts');
    use('typescript-fetch.mts');
    await checkTypes('typescript-fetch.mts');
    await run('npx', 'tsx', 'typescript-fetch.mts', address, ...account);
  },
  async 'openapi-generator, java'(address) {
    const form = ['--library', 'jersey3', '--additional-properties', 'useSingleRequestParameter=true'];
    await generate('java', 'java', ...form);
    use('Use.java', 'java/src/main/java');
    const words = [address, ...account].map((word) => `"${word}"`).join(' ');
    const execute = [
      'compile',
      'exec:java',
      '-Dexec.classpathScope=compile',
      '-Dexec.mainClass=Use',
      `-Dexec.args=${words}`,
    ];
    await run('mvn', '-q', '-f', 'java/pom.xml', ...execute);
  },
  async 'openapi-python-client'(address) {
    await run('python3', '-m', 'venv', 'venv-client');
    await run('venv-client/bin/pip', 'install', '-q', PYTHON_CLIENT);
    const from = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'business_client'];
    await run('venv-client/bin/openapi-python-client', 'generate', ...from);
    use('use_python_client.py');
    await run('venv-client/bin/python', 'use_python_client.py', address, ...account);
  },
  async 'clients/python, as a wheel'(address) {
    const sources = fileURLToPath(new URL('../../clients/python', import.meta.url));
    await run(process.execPath, '--import', import.meta.resolve('tsx'), join(sources, 'generate.ts'));
    await run('python3', '-m', 'venv', 'venv-own');
    await run('venv-own/bin/pip', 'wheel', '-q', '--no-deps', '-w', 'wheels', sources);
    await run(
      'venv-own/bin/pip',
      'install',
      '-q',
      ...readdirSync(join(folder, 'wheels')).map((name) => `wheels/${name}`),
    );
    await run('venv-own/bin/python', '-c', USE_WHEEL, address, ...account);
  },
  async 'oapi-codegen, Go'(address) {
    mkdirSync(join(folder, 'go'));
    writeFileSync(join(folder, 'go.yaml'), GO_FORM);
    await run('go', 'run', GO_CLIENT, '-config', 'go.yaml', 'openapi-without-webhooks.json');
    use('main.go', 'go');
    await run('go', '-C', 'go', 'mod', 'init', 'client');
    await run('go', '-C', 'go', 'mod', 'tidy');
    await run('go', '-C', 'go', 'run', '.', address, ...account);
  },
  async 'Bruno, the guide of the collection'(address) {
    const collection = join(folder, 'bruno');
    // The service is set up already, which is the first request.
    const guide = writeCollection(collection).filter((path) => /^Guide\/(?!01 )/.test(path));
    const given = Object.entries({ address, email: OWNER.email, password: OWNER.password });
    const variables = given.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    await run('npm', 'install', '--no-audit', '--no-fund', '--prefix', 'bruno-cli', BRUNO_CLI);
    const program = join(folder, 'bruno-cli/node_modules/.bin/bru');
    const environment = ['--env', 'local', ...variables];
    await promisify(execFile)(program, ['run', ...guide, '--bail', ...environment], { cwd: collection });
  },
};

function generate(language: string, target: string, ...more: string[]): Promise<void> {
  const from = ['generate', '-g', language, '-i', 'openapi.json', '-o', target];
  return run('npx', 'openapi-generator-cli', ...from, ...more);
}

/** Programs that checks need besides Node, with the words that ask for their versions. */
const NEEDED: readonly (readonly [check: RegExp, program: string, word: string])[] = [
  [/^openapi-generator/, 'java', '-version'],
  [/java$/, 'mvn', '--version'],
  [/python/, 'python3', '--version'],
  [/Go$/, 'go', 'version'],
];

/** Why a check cannot run on this machine; undefined when it can. */
function obstacle(name: string): string | undefined {
  const lacking = NEEDED.find(([check, program, word]) => check.test(name) && spawnSync(program, [word]).status !== 0);
  return lacking && `there is no ${lacking[1]}`;
}

async function save(address: string, file: string): Promise<void> {
  writeFileSync(join(folder, file), await (await fetch(address)).text());
}

async function main(): Promise<number> {
  let failures = 0;
  await removeAbandonedRuns();
  const app = await startTestApp();
  try {
    const described = `${app.address}/api/openapi.json`;
    await save(described, 'openapi.json');
    await save(`${described}?webhooks=false`, 'openapi-without-webhooks.json');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: NPM }));
    await run('npm', 'install', '--no-audit', '--no-fund', '--no-package-lock');
    await run('npx', 'openapi-generator-cli', 'version-manager', 'set', GENERATOR).catch(() => undefined);
    for (const [name, check] of Object.entries(CHECKS).filter(([name]) => name.includes(ONLY))) {
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
