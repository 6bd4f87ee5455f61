import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of what is installed, built or recorded. */
const SKIPPED = new Set(['.build', '.data', '.git', 'coverage', 'dist', 'histories', 'node_modules']);

/** Lists the project's files whose path matches, relative to the root. Needs no git, which an unpacked archive does not have. */
export function filesUnder(root: string, pattern: RegExp, folder = '.'): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(root, pattern, path);
    return pattern.test(path) ? [path] : [];
  });
}
