import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** `documentLines`, not `linesOf`. */
const NAME = /\b(?:function|const|let) (\w+Of)\b/g;
/** A doc comment begins with what the thing is or does. */
const COMMENT = /\/\*\*\s+(?:\* )?((?:What|Of|Those) \w+)/g;

function found(file: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ 1: words }) => `${file}: ${words}`);
}

describe('the language of the code', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', ':!db/migrations'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  const all = (pattern: RegExp) => texts.flatMap(([file, text]) => found(file, text, pattern));

  it('has names in English order: none ends with "Of"', () => {
    assert.deepEqual(all(NAME), []);
  });

  it('begins comments with what a thing is or does', () => {
    assert.deepEqual(all(COMMENT), []);
  });
});
