/**
 * The workflow code as one bundle for the sandbox. A build writes it once (`npm run build`); for sources it is made once and cached for the
 * user.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { Logger } from 'pino';
import { ownModule, runCommand } from '../runtime/command.ts';
import { cacheDirectory, readIfThere, writeWhole } from '../runtime/files.ts';

/** A bundle's file. */
export interface Bundle {
  readonly codePath: string;
}

const BUNDLE = 'workflow-bundle.js';
/** Files that the service reads besides its code. */
const NOT_CODE = ['services/pdf/templates/', 'api/openapi/introduction.md'];
/** All that a bundle can depend on: what workflows may import, the packages, and how it is made. */
const SOURCES = ['workflows/', 'domain/', 'package-lock.json', 'worker/bundle.ts'];
/** A cached bundle is removed when another one is made so long after it. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

let found: Promise<Bundle> | undefined;

/** The bundle beside this file if a build left one, else the one of these sources. */
export function workflowBundle(logger?: Logger): Promise<Bundle> {
  const built = fileURLToPath(new URL(`./${BUNDLE}`, import.meta.url));
  found ??= existsSync(built) ? Promise.resolve({ codePath: built }) : bundleOfSources(process.env, logger);
  return found;
}

/** Makes it the first time, in a process of its own: the memory that Webpack takes would stay with this one. */
export async function bundleOfSources(env: NodeJS.ProcessEnv, logger?: Logger): Promise<Bundle> {
  const codePath = join(cacheDirectory(env), 'workflows', `${fingerprint()}.js`);
  if (!existsSync(codePath)) {
    const { code, output } = await runCommand(ownModule('worker/bundle', [codePath], env));
    if (code !== 0) throw new Error(`The workflows cannot be bundled:\n${output}`);
    if (output !== '') logger?.warn({ part: 'bundle' }, output);
  }
  return { codePath };
}

function fingerprint(): string {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0${readIfThere(join(root, path)) ?? ''}\0`);
  for (const source of SOURCES) {
    if (!source.endsWith('/')) add(source);
    else {
      const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      for (const file of files.sort()) add(file.slice(root.length));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

async function makeBundle(base: string): Promise<string> {
  const extension = base.endsWith('.ts') ? 'ts' : 'js';
  const workflowsPath = fileURLToPath(new URL(`../workflows/index.${extension}`, base));
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Our modules hold constants and functions, no state of a workflow: each is evaluated once and frozen, not again for every workflow.
    preloadModules: [workflowsPath],
    // Prints Webpack's warnings, not its progress.
    logger: {
      log: () => undefined,
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => console.error(message),
      error: (message) => console.error(message),
    },
  });
  return code;
}

/** Makes a bundle for the cache, and removes those that nobody has needed for long. */
async function buildInto(path: string): Promise<void> {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(other, { force: true });
  }
  writeWhole(path, await makeBundle(import.meta.url));
}

/** Completes `dist` after the compiler: the bundle, and files that are not code. */
async function build(): Promise<void> {
  const dist = new URL('../dist/', import.meta.url);
  await mkdir(new URL('worker/', dist), { recursive: true });
  await writeFile(new URL(`worker/${BUNDLE}`, dist), await makeBundle(import.meta.url));
  for (const path of NOT_CODE) {
    await cp(new URL(`../${path}`, import.meta.url), new URL(path, dist), { recursive: true });
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  await (argv[2] === undefined ? build() : buildInto(argv[2]));
}
