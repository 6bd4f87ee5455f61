/** `npm run decisions`: writes docs/decisions/README.md, the index of the notes beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexPage, readNote } from './decision-index.ts';

const FOLDER = fileURLToPath(new URL('../docs/decisions', import.meta.url));

const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');
const notes = files.sort().map((file) => readNote(file, readFileSync(join(FOLDER, file), 'utf8')));
writeFileSync(join(FOLDER, 'README.md'), indexPage(notes));
