import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inherited } from '../helpers/environment.ts';

describe('the run of all suites', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'suites-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs suites of a case each. @returns the last lines and the exit code */
  async function run(suites: Readonly<Record<string, string>>): Promise<{ lines: string[]; code: number }> {
    const paths = Object.entries(suites).map(([name, body]) => {
      const path = join(folder, `${name}.test.mjs`);
      writeFileSync(
        path,
        `import fs from 'node:fs';\ndescribe('${name}', () => { it('case', () => { ${body} }); });\n`,
      );
      return path;
    });
    const program = `import { runSuites } from './test/helpers/run-suites.ts'; await runSuites(${JSON.stringify(paths)});`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', program];
    const { stdout, code } = await promisify(execFile)(process.execPath, args, { env: inherited() }).then(
      (ended) => ({ ...ended, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    return { lines: stdout.trimEnd().split('\n').slice(-2), code };
  }

  it('names suites that pass only when they run again by themselves, and fails for those that fail again', async () => {
    const marker = JSON.stringify(join(folder, 'marker'));
    const once = `if (!fs.existsSync(${marker})) { fs.writeFileSync(${marker}, ''); throw new Error('first'); }`;
    const { lines, code } = await run({ steady: '', once, failing: `throw new Error('always')` });
    assert.match(lines[0] ?? '', /^Unsteady, which passed alone: \S*once\.test\.mjs$/);
    assert.deepEqual([lines[1], code], ['2 passed, 1 failed', 1]);
  });

  it('fails when a suite cannot be read', async () => {
    const { lines, code } = await run({ steady: '', broken: 'is no JavaScript' });
    assert.match(lines[1] ?? '', /^\d+ passed, [1-9]\d* failed$/);
    assert.equal(code, 1);
  });
});
