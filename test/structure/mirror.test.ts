import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Folders about more than one place of the source, or about none. */
const OWN = new Set(['clients', 'concurrency', 'e2e', 'helpers', 'histories', 'model', 'structure']);

describe('the folders of the tests', () => {
  it('mirror those of the source', () => {
    const suites = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.test.ts'),
    );
    assert.ok(suites.length > 200);
    const mirrored = suites.map(dirname).filter((folder) => !OWN.has(folder.split(sep)[0] ?? ''));
    // A single file may have a folder of suites.
    const astray = mirrored.filter(
      (folder) => !existsSync(join(ROOT, folder)) && !existsSync(join(ROOT, `${folder}.ts`)),
    );
    assert.deepEqual(new Set(astray), new Set());
  });
});
