import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

describe('the examples of the README', () => {
  it('can be pasted where # begins no comment, as in zsh: only the result of pick is beside a command', () => {
    const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, code = '']) => code.split('\n'));
    assert.ok(lines.length > 20);
    const remarks = lines.filter((line) => /(^|\s)#/.test(line) && !/\| pick [\w.'[\]]+ +# → [\w.]+$/.test(line));
    assert.deepEqual(remarks, []);
  });
});
