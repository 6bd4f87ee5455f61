/** Finds the `temporal` program, or installs it once for the user. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownModule, runCommand } from './command.ts';
import { errorMessage, StartError } from './errors.ts';
import { cacheDirectory } from './files.ts';
import { goInstall, isProgram, onPath } from './go-install.ts';
import { withProgress } from './progress.ts';

/** The newest version that `go install` builds. */
const VERSION = 'v1.5.1';
const PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`;
const DOWNLOAD_MS = 60_000;
const BUILD_MS = 20 * 60_000;
const ABANDONED_MS = 60 * 60_000;

export interface CliSearch {
  /** Source of PATH, HOME and the like. */
  readonly env: NodeJS.ProcessEnv;
  /** Value of TEMPORAL_CLI. */
  readonly explicit?: string | undefined;
  /** Informs the user about long steps. */
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Downloads the program into a folder; defaults to the SDK's own download. */
  readonly download?: (folder: string) => Promise<void>;
}

/**
 * Returns the path of a working `temporal` program: the given one, the one on the PATH, or the cached one; otherwise it is downloaded like
 * by the SDK, or built with Go, and cached for the user.
 * @throws StartError if there is none and none can be installed
 */
export async function findTemporalCli(search: CliSearch): Promise<string> {
  const { env, explicit, print, signal } = search;
  if (explicit !== undefined) {
    if (await works(explicit, signal)) return explicit;
    throw new StartError(
      `TEMPORAL_CLI is "${explicit}", which is not a working temporal program: correct it, or unset it`,
    );
  }
  for (const path of onPath('temporal', env)) {
    if (await works(path, signal)) return path;
  }
  const folder = join(cacheDirectory(env), `temporal-${VERSION.slice(1)}`);
  const cached = join(folder, 'temporal');
  if (await works(cached, signal)) return cached;

  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  const failures: string[] = [];
  for (const [label, get] of sources(search)) {
    const draft = join(folder, `draft-${randomBytes(4).toString('hex')}`);
    mkdirSync(draft);
    try {
      const path = await withProgress(label, print, () => get(draft));
      if (!(await works(path, signal))) throw new Error(`${path} does not run`);
      // Two starts may do this at once: each installs a complete program.
      renameSync(path, cached);
      return cached;
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(errorMessage(error));
      print(`Temporal CLI: ${errorMessage(error)}`);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  throw new StartError(
    `No Temporal CLI: none on the PATH, and ${failures.join('; ')}: install it and set TEMPORAL_CLI, install Go, or set ` +
      `TEMPORAL_ADDRESS to a server`,
  );
}

type Source = [label: string, get: (folder: string) => Promise<string>];

function sources(search: CliSearch): Source[] {
  const { env, signal } = search;
  const bounded = (ms: number) =>
    signal === undefined ? AbortSignal.timeout(ms) : AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const download = search.download ?? ((folder: string) => sdkDownload(folder, env, bounded(DOWNLOAD_MS)));
  return [
    [
      'Temporal CLI: downloading it (once)',
      async (folder) => {
        await download(folder);
        return onlyProgram(folder);
      },
    ],
    [
      `Temporal CLI: building ${VERSION} with Go (once, about three minutes on two cores)`,
      (folder) => goInstall(PACKAGE, folder, env, bounded(BUILD_MS)),
    ],
  ];
}

async function sdkDownload(folder: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const { code } = await runCommand(
    ownModule('runtime/temporal-download', [folder, VERSION], { ...env, TMPDIR: folder }),
    signal,
  ).catch((error: unknown) => {
    throw new Error(`the download failed (${errorMessage(error)})`);
  });
  if (code !== 0) throw new Error('the download failed (its host is out of reach)');
}

async function works(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (!isProgram(path)) return false;
  const limit = AbortSignal.timeout(20_000);
  try {
    const result = await runCommand(
      { file: path, args: ['--version'] },
      signal === undefined ? limit : AbortSignal.any([signal, limit]),
    );
    return result.code === 0 && result.output.includes('temporal');
  } catch {
    signal?.throwIfAborted();
    // Built for another platform, incomplete, or hanging: it does not work.
    return false;
  }
}

function onlyProgram(folder: string): string {
  const path = readdirSync(folder)
    .map((name) => join(folder, name))
    .find(isProgram);
  if (path === undefined) throw new Error('the download contained no program');
  return path;
}

/** Removes the remains of killed downloads and builds. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (name.startsWith('draft-') && age > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  }
}
