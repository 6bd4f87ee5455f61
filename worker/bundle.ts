/**
 * The workflow code as one bundle for the sandbox. Compiling the service writes it beside this file; a process that runs from
 * sources, as tests do, takes it from the user's cache.
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
/** All that a bundle can depend on: what workflows may import, the packages, and how it is made. */
const SOURCES = ['workflows/', 'domain/', 'package-lock.json', 'worker/bundle.ts'];
/** A cached bundle is removed when another one is made so long after it. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

let found: Promise<Bundle> | undefined;

/** The bundle beside this file if there is one, else the one of these sources. */
export function workflowBundle(logger?: Logger): Promise<Bundle> {
  found ??= existsSync(COMPILED) ? Promise.resolve({ codePath: COMPILED }) : bundleOfSources(process.env, logger);
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

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  await (argv[2] === undefined ? writeFile(COMPILED, await makeBundle(import.meta.url)) : buildInto(argv[2]));
}
