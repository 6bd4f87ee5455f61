/** Writes the collection for Bruno to `clients/bruno/build/`: `npm run client:bruno`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeCollection } from './write.ts';

const TARGET = join(import.meta.dirname, 'build');

rmSync(TARGET, { recursive: true, force: true });
process.stdout.write(`${writeCollection(TARGET).length} files in ${TARGET}\n`);
