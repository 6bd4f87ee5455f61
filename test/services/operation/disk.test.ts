import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskSpaces } from '../../../services/operation/disk.ts';

describe('free disk space', () => {
  it('is that of the folder, once for all that is on the same disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    await mkdir(join(folder, 'postgres'));
    const [space, ...more] = await diskSpaces(folder);
    assert.deepEqual(more, []);
    assert.deepEqual([space?.host, space?.path], [hostname(), folder]);
    assert.ok(space && space.freeBytes > 0 && space.freeBytes <= space.totalBytes);
    await rm(folder, { recursive: true });
  });

  it('is that of the disk on which a folder would be made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    assert.deepEqual(
      (await diskSpaces(join(folder, 'not', 'made'))).map(({ path }) => path),
      [folder],
    );
    await rm(folder, { recursive: true });
  });
});
