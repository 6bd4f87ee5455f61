/**
 * Bundles the workflow code for the sandbox. Compiling the service writes the bundle next to this file; a process that runs from sources,
 * like the tests, takes it from the user's cache.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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

const COMPILED = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
/** Everything on which a bundle depends: the folders that workflows may import, the packages, and this file. */
const SOURCES = ['workflows/', 'domain/', 'package-lock.json', 'worker/bundle.ts'];
/** Age at which cached bundles are removed when a new one is built. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

let found: Promise<Bundle> | undefined;

/** Returns the bundle next to this file if there is one, else the bundle of the current sources. */
export function workflowBundle(logger?: Logger): Promise<Bundle> {
  found ??= existsSync(COMPILED) ? Promise.resolve({ codePath: COMPILED }) : bundleOfSources(process.env, logger);
  return found;
}

/** Returns the cached bundle; builds it the first time, in a separate process, because Webpack's memory would not be released. */
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
  const interceptors = ['tracing', 'outbox', 'temporal'].map((part) =>
    fileURLToPath(new URL(`../workflows/platform/${part}/interceptors.${extension}`, base)),
  );
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: interceptors,
    // Our modules contain constants and functions, but no workflow state: each is evaluated and frozen once, not for every workflow.
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

/** Builds a bundle for the cache, and removes old ones. */
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

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  await (argv[2] === undefined ? writeFile(COMPILED, await makeBundle(import.meta.url)) : buildInto(argv[2]));
}
