import { readFileSync } from 'node:fs';

/** The service's version, from the package.json above this file (one level up in the sources, two in the build). */
export const SERVICE_VERSION: string = readVersion(['../package.json', '../../package.json']);

function readVersion(candidates: readonly string[]): string {
  for (const candidate of candidates) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8')) as { version: string };
      return manifest.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('package.json is missing: it names the version of the service');
}
