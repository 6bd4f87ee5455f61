import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inherited } from '../helpers/environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('programs of the service', function () {
  this.timeout(60_000);

  /** Returns the folder of the compiled files. */
  async function compiled(): Promise<string> {
    const script = `import('./runtime/compile.mjs').then(async ({ compiledFolder }) => console.log(await compiledFolder()))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], { cwd: ROOT, env: inherited() });
    return stdout.trim();
  }

  it('are compiled once for the sources as they are, whole, with what they read and the bundle of workflows', async () => {
    const [folder, other] = await Promise.all([compiled(), compiled()]);
    assert.equal(folder, other);
    const made = statSync(join(folder, 'api/server.js')).mtimeMs;
    assert.equal(await compiled(), folder);
    assert.equal(statSync(join(folder, 'api/server.js')).mtimeMs, made);
    for (const file of [
      'worker/workflow-bundle.js',
      'services/trade/pdf/templates/document.liquid',
      'db/migrations/index.js',
    ]) {
      assert.ok(existsSync(join(folder, file)), file);
    }
    assert.deepEqual(
      readdirSync(dirname(folder)).filter((name) => name.endsWith('.draft')),
      [],
    );
  });

  it('run with their arguments', async () => {
    const command = ['runtime/run.mjs', 'worker/main', '--queues', 'nothing'];
    const failed = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env: inherited() }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    assert.match(failed.stderr, /^--queues nothing: give one or more of documents, /);
  });
});
