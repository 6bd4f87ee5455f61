import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeService } from '../description.ts';
import { brunoCollection } from './collection.ts';

/** Writes the collection for Bruno to a folder. @returns the paths of its files in it */
export function writeCollection(folder: string): string[] {
  const files = brunoCollection(describeService());
  for (const [path, text] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return [...files.keys()];
}
