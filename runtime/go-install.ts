/** Builds programs with Go, where they cannot be had otherwise. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { runCommand } from './command.ts';

/**
 * Builds a program with `go install`.
 * @param program its package and version: `github.com/temporalio/cli/cmd/temporal@v1.5.1`
 * @param folder where it is put
 * @param env source of PATH, HOME and the like
 * @returns its path
 * @throws Error if there is no Go, or the build fails
 */
export async function goInstall(
  program: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const go = [...onPath('go', env), '/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find(isProgram);
  if (go === undefined) throw new Error('Go is not installed');
  const command = { file: go, args: ['install', program], env: { ...env, GOBIN: folder }, cwd: folder };
  const { code, output } = await runCommand(command, signal);
  if (code !== 0) throw new Error(`the build with Go failed (${output.split('\n').at(-1) ?? ''})`);
  return join(folder, basename(program.replace(/@.*$/, '')));
}

/** Lists the files with a program's name in the folders of the PATH. */
export function onPath(name: string, env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter(isProgram);
}

/** Whether a path is a file that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Absent, or not accessible for this user: unusable either way.
    return false;
  }
}
