import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const RECIPES = [
  'A field',
  'A resource',
  'A report',
  'An event',
  'A notification',
  'An automation action',
  'A workflow',
  'A migration',
];
const MAX_LINES = 10;

/** The sections under "Recipes", by title. */
function recipes(): Map<string, string> {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const sections = page.slice(page.indexOf('\n## Recipes\n')).split('\n### ').slice(1);
  return new Map(sections.map((section) => [section.split('\n')[0] ?? '', section.slice(section.indexOf('\n'))]));
}

describe('the recipes of CONTRIBUTING.md', () => {
  it('are the eight that people need', () => {
    assert.deepEqual([...recipes().keys()], RECIPES);
  });

  it(`have at most ${MAX_LINES} lines each`, () => {
    for (const [title, text] of recipes()) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      assert.ok(lines.length <= MAX_LINES, `"${title}" has ${lines.length} lines`);
    }
  });

  it('name the files of an example, which exist', () => {
    for (const [title, text] of recipes()) {
      const files = [...text.matchAll(/`(\w[\w./-]*\/[\w.-]+\.\w+)`/g)].map(([, file = '']) => file);
      assert.ok(files.length >= 4, `"${title}" names ${files.length} files`);
      for (const file of files)
        assert.ok(existsSync(join(ROOT, file)), `"${title}" names ${file}, which does not exist`);
    }
  });
});
