import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MODULE = new URL('../../../demo/aeat/authority.ts', import.meta.url).href;

describe('the authority of the stand-ins', function () {
  this.timeout(60_000);

  it('is the same for all processes that open its folder at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'authority-'));
    try {
      const script = `import { openAuthority } from '${MODULE}';
        process.stdout.write(openAuthority(process.argv[1], new Date()).pem);`;
      const opened = await Promise.all(
        Array.from({ length: 4 }, () =>
          run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder]),
        ),
      );
      assert.equal(new Set(opened.map(({ stdout }) => stdout)).size, 1);
      assert.deepEqual(readdirSync(folder).sort(), ['authority.key.pem', 'authority.pem']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
