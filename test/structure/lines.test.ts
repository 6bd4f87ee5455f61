import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const MAX = 140;
/** Files of others, as test data, and sentences that cannot be split. */
const EXEMPT = [
  /^test\/histories\//,
  /^domain\/locale\/messages-es\//,
  /\/fixtures\//,
  /^test\/services\/bank\/statements\/read-file\.test\.ts$/,
  /^test\/services\/records\/imports\/read\.test\.ts$/,
];

/** A regular expression cannot be split. */
const isTooLong = (line: string) => line.length > MAX && !/^\s*\/\^.*\$\/[a-z]*[,;]$/.test(line);

describe('lines of code', () => {
  it(`have at most ${MAX} characters`, () => {
    const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const checked = files.filter((file) => !EXEMPT.some((pattern) => pattern.test(file)));
    assert.ok(checked.length > 700, `${checked.length} files`);
    const long = checked.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (isTooLong(line) ? [`${file}:${index + 1}`] : [])),
    );
    assert.deepEqual(long, []);
  });
});
