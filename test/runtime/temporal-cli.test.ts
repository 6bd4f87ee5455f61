import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../../runtime/errors.ts';
import { findTemporalCli } from '../../runtime/temporal-cli.ts';

describe('finding the Temporal CLI', () => {
  let folder: string;
  let printed: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'find-cli-'));
    printed = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function program(path: string, script: string): string {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
  const temporal = (path: string) => program(path, 'echo temporal version 1.2.3');
  const cached = () => join(folder, 'cache/business-management-service/temporal-1.5.1/temporal');
  /** A Go that "builds" a program into GOBIN. */
  const go = () =>
    program(
      'bin/go',
      'printf "#!/bin/sh\\necho temporal version built\\n" > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"',
    );

  function find(
    explicit?: string,
    download = async (_folder: string): Promise<void> => Promise.reject(new Error('no way out')),
  ) {
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, 'cache') };
    return findTemporalCli({ env, explicit, print: (line) => printed.push(line), download });
  }

  it('takes the given one before all others', async () => {
    temporal('bin/temporal');
    const given = temporal('given/temporal');
    assert.equal(await find(given), given);
  });

  it('says so when the given one does not run, instead of taking another', async () => {
    temporal('bin/temporal');
    const broken = program('given/temporal', 'exit 1');
    await assert.rejects(find(broken), (error) => error instanceof StartError && /TEMPORAL_CLI/.test(error.message));
    await assert.rejects(find(join(folder, 'nowhere')), /TEMPORAL_CLI/);
  });

  it('takes the one on the PATH before the cached one', async () => {
    const onPath = temporal('bin/temporal');
    temporal('cache/business-management-service/temporal-1.5.1/temporal');
    assert.equal(await find(), onPath);
  });

  it('takes the cached one, also when the one on the PATH is broken', async () => {
    program('bin/temporal', 'exit 1');
    temporal('cache/business-management-service/temporal-1.5.1/temporal');
    assert.equal(await find(), cached());
    assert.deepEqual(printed, []);
  });

  it('downloads before it builds', async () => {
    go();
    const found = await find(undefined, async (target) => {
      writeFileSync(join(target, 'temporal-sdk'), '#!/bin/sh\necho temporal version downloaded\n', { mode: 0o755 });
    });
    assert.equal(found, cached());
    assert.ok(!printed.some((line) => line.includes('Go')));
  });

  it('builds with Go, saying what it does and how long that takes, and leaves nothing half-done', async () => {
    go();
    assert.equal(await find(), cached());
    assert.ok(printed.some((line) => /building .* with Go \(once, about three minutes/.test(line)));
    assert.deepEqual(readdirSync(dirname(cached())), ['temporal']);
  });

  it('replaces a cached one that is broken', async () => {
    go();
    program('cache/business-management-service/temporal-1.5.1/temporal', 'exit 1');
    assert.equal(await find(), cached());
    assert.equal(await find(), cached());
  });

  it('may be asked by several at once', async () => {
    go();
    assert.deepEqual(await Promise.all([find(), find(), find()]), [cached(), cached(), cached()]);
  });

  it('names every remedy when there is none', async () => {
    program('bin/go', 'echo no such module; exit 1');
    await assert.rejects(find(), (error) => {
      assert.ok(error instanceof StartError);
      for (const remedy of ['TEMPORAL_CLI', 'TEMPORAL_ADDRESS', 'Go', 'no such module'])
        assert.match(error.message, new RegExp(remedy));
      return true;
    });
    assert.ok(!existsSync(cached()));
  });
});
