/** Command lines of modules that run as separate programs, and the user who reads customers' files. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A user id that exists on no machine, so that it owns nothing and runs nothing else. Root uses it to read customers' files. */
export const NOBODY_ELSE = 60_578;

/**
 * Returns the command line of a module, from the sources or the build, whichever is running.
 * @param module path from the project's root, without its ending: `api/server`
 */
export function ownProgram(module: string): { readonly file: string; readonly args: readonly string[] } {
  const typescript = import.meta.url.endsWith('.ts');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const loader = typescript ? pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href : undefined;
  const imports = loader === undefined ? [] : ['--import', loader];
  return { file: process.execPath, args: [...imports, `${root}${module}${typescript ? '.ts' : '.js'}`] };
}
