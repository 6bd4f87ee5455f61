import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** A file of tests, with the titles in quotes that follow it. */
const NAMED = /`(test\/[^`]+)`((?:,? *"[^"]+")*)/g;

interface NamedTests {
  readonly file: string;
  readonly titles: string[];
}

/** The rows of the table, each with the tests that its last cell names. */
function promises(): { promise: string; cells: number; tests: NamedTests[] }[] {
  const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('\n');
  const start = rows.findIndex((row) => row.startsWith('| Promise |')) + 2;
  const table = rows.slice(start, rows.indexOf('', start));
  return table.map((row) => {
    const cells = row.slice(1, -1).split('|');
    const named = [...(cells.at(-1) ?? '').matchAll(NAMED)];
    const tests = named.map(([, file = '', titles = '']) => {
      return { file, titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) };
    });
    return { promise: (cells[0] ?? '').trim(), cells: cells.length, tests };
  });
}

describe('docs/security.md', () => {
  it('names for each promise tests that exist', () => {
    const table = promises();
    assert.ok(table.length > 10, 'the table is found');
    for (const { promise, cells, tests } of table) {
      assert.equal(cells, 3, `"${promise}": promise, means and tests`);
      assert.ok(tests.length > 0, `"${promise}" names a test`);
      for (const { file, titles } of tests) {
        assert.ok(existsSync(join(ROOT, file)), `"${promise}": there is no ${file}`);
        const source = readFileSync(join(ROOT, file), 'utf8');
        const missing = titles.filter((title) => !source.includes(title));
        assert.deepEqual(missing, [], `"${promise}": titles that ${file} does not have`);
      }
    }
  });
});
