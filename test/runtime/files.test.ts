import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWhole, keptSecret } from '../../runtime/files.ts';
import { use } from '../helpers/hooks.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

describe('a secret that is kept', () => {
  const folder = use(() => ({ path: mkdtempSync(join(tmpdir(), 'secrets-')) }), {
    close: ({ path }) => rmSync(path, { recursive: true, force: true }),
  });

  it('is made once, and only read from then on: the disk may be full', () => {
    const secret = keptSecret(folder.path, 'key');
    assert.equal(secret.length, 43);
    utimesSync(folder.path, LONG_AGO, LONG_AGO);
    assert.equal(keptSecret(folder.path, 'key'), secret);
    assert.equal(createWhole(join(folder.path, 'key'), 'another'), false);
    // Whoever writes into a folder changes its time.
    assert.equal(statSync(folder.path).mtime.toISOString(), LONG_AGO.toISOString());
    assert.deepEqual(readdirSync(folder.path), ['key']);
  });
});
