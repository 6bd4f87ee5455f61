import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleOfSources } from '../../worker/bundle.ts';

describe('the bundle of workflows', function () {
  this.timeout(60_000);
  const cache = mkdtempSync(join(tmpdir(), 'bundle-'));
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  after(() => rmSync(cache, { recursive: true }));

  it('is built once for the same sources, and removed when it has not been used for a month', async () => {
    const folder = join(cache, 'business-management-service', 'workflows');
    mkdirSync(folder, { recursive: true });
    const [old, recent] = [join(folder, 'old.js'), join(folder, 'recent.js')];
    for (const path of [old, recent]) writeFileSync(path, '');
    const month = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    utimesSync(old, month, month);

    const { codePath } = await bundleOfSources(env);
    assert.equal(dirname(codePath), folder);
    assert.ok(statSync(codePath).size > 100_000);
    assert.deepEqual(new Set(readdirSync(folder).map((name) => join(folder, name))), new Set([recent, codePath]));

    writeFileSync(codePath, 'made before');
    assert.deepEqual(await bundleOfSources(env), { codePath });
    assert.equal(statSync(codePath).size, 'made before'.length);
  });
});
