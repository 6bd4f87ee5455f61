/** Introduction of the documentation, in Markdown. */
import { readFileSync } from 'node:fs';

export const INTRODUCTION = readFileSync(new URL('./introduction.md', import.meta.url), 'utf8');
