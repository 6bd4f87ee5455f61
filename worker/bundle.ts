/**
 * The workflow code as one bundle for the sandbox. A build writes it once (`npm run build`); a process that runs from sources builds its
 * own.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';

const BUNDLE = 'workflow-bundle.js';
/** Files that the service reads besides its code. */
const NOT_CODE = ['services/pdf/templates/', 'api/openapi/introduction.md'];

let made: Promise<WorkflowBundleOption> | undefined;

/** The bundle beside this file if a build left one, else one built once per process (about two seconds). */
export function workflowBundle(logger?: Logger): Promise<WorkflowBundleOption> {
  const built = fileURLToPath(new URL(`./${BUNDLE}`, import.meta.url));
  made ??= existsSync(built) ? Promise.resolve({ codePath: built }) : makeBundle(import.meta.url, logger);
  return made;
}

async function makeBundle(base: string, logger?: Logger): Promise<{ code: string }> {
  const extension = base.endsWith('.ts') ? 'ts' : 'js';
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL(`../workflows/index.${extension}`, base)),
    // Logs Webpack's warnings, not its progress.
    logger: {
      log: () => undefined,
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => logger?.warn({ part: 'bundle' }, message),
      error: (message) => logger?.error({ part: 'bundle' }, message),
    },
  });
}

/** Completes `dist` after the compiler: the bundle, and files that are not code. */
async function build(): Promise<void> {
  const dist = new URL('../dist/', import.meta.url);
  const { code } = await makeBundle(import.meta.url);
  await mkdir(new URL('worker/', dist), { recursive: true });
  await writeFile(new URL(`worker/${BUNDLE}`, dist), code);
  for (const path of NOT_CODE) {
    await cp(new URL(`../${path}`, import.meta.url), new URL(path, dist), { recursive: true });
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await build();
