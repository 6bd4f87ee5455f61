import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const TEST = resolve(import.meta.dirname, '..');
/** UTC's day or year at the moment, which is not always the company's. */
const TAKEN =
  /new Date\((Date\.now\(\)[^)]*)?\)\.(toISOString\(\)\.(slice|substring|split)|get(UTC)?(FullYear|Month|Date)\()/;

describe('the tests', () => {
  it('take no day from the clock of the machine: helpers/clock.ts has the company’s', () => {
    const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.ok(files.length > 200);
    const taking = files.filter((name) => TAKEN.test(readFileSync(join(TEST, name), 'utf8')));
    assert.deepEqual(taking, []);
  });
});
