import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureDisks } from '../../../../services/operation/watch/disk.ts';

describe('measureDisks', () => {
  it('measures the disk of the folder, once for everything on the same disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    await mkdir(join(folder, 'postgres'));
    const [space, ...more] = await measureDisks(folder);
    assert.deepEqual(more, []);
    assert.deepEqual([space?.host, space?.path], [hostname(), folder]);
    assert.ok(space && space.freeBytes > 0 && space.freeBytes <= space.totalBytes);
    await rm(folder, { recursive: true });
  });

  it('measures the disk on which a folder would be created', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    assert.deepEqual(
      (await measureDisks(join(folder, 'not', 'made'))).map(({ path }) => path),
      [folder],
    );
    await rm(folder, { recursive: true });
  });
});
