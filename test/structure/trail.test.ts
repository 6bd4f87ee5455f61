import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Rooms of the service; what it was migrated with stays as it is. */
const ROOMS = ['api', 'workflows', 'activities', 'worker', 'db', 'services', 'domain', 'runtime', 'demo'];
const OWNERS = /^db\/(changes|migrations)\//;

/** Ways to insert an audit record or an event past `Changes`. */
const PAST_CHANGES = [
  /\binsert\s+into\s+"?(audit_logs|outbox)\b/i,
  /\(\s*['"`](audit_logs|outbox)['"`]\s*\)\s*\.insert\b/,
  /\bimport\s*\{[^}]*\b(AuditLog|Outbox)\b[^}]*\}\s*from\s*'[^']*changes\/trail/,
];

const past = (source: string) => PAST_CHANGES.some((way) => way.test(source));

describe('audit records and events', () => {
  it('are inserted by nothing but changes', () => {
    const files = ROOMS.flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() && entry.name.endsWith('.ts') ? relative(ROOT, join(entry.parentPath, entry.name)) : [],
      ),
    );
    assert.ok(files.length > 300, `${files.length} files were found`);
    const faults = files.filter((file) => !OWNERS.test(file) && past(readFileSync(join(ROOT, file), 'utf8')));
    assert.deepEqual(faults, []);
  });

  it('would be found if they were', () => {
    for (const source of [
      'INSERT INTO outbox (id)',
      "trx('audit_logs').insert({})",
      "import { Outbox } from '../db/changes/trail.ts'",
    ]) {
      assert.ok(past(source), source);
    }
    assert.ok(!past("trx('outbox').where({ id })"));
  });
});
