import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOLDERS = ['api', 'activities', 'db', 'runtime', 'services', 'worker'];
/** Waits for an advisory lock with the connection in hand. */
const WAITING = /pg_advisory_(xact_)?lock(_shared)?\(/;

describe('advisory locks', () => {
  it('are waited for in the database by three statements only', () => {
    const waiting = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name}`)
        .filter((name) => name.endsWith('.ts') && WAITING.test(readFileSync(join(ROOT, name), 'utf8'))),
    );
    assert.deepEqual(waiting.sort(), [
      'services/messages/notifications/write.ts',
      // The claim of the relay, for which nobody waits.
      'services/platform/outbox/claim.ts',
      'services/trade/stock/levels.ts',
    ]);
  });
});
