import assert from 'node:assert/strict';
import { MIGRATIONS } from '../../db/migrations/index.ts';

/** Up to here, indexes were made in the migration's transaction; those have been applied, and are not edited. */
const FROZEN = '0051';

const INDEX = /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/gi;
const CONSTRAINT =
  /\balter\s+table\s+(\w+)[^;]*\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|exclude)\b(?!\s+using\s+index)/gi;
const TABLE = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi;

/** Tables with rows on which statements of a transaction make an index: all who write to them would wait for it. */
function indexedWhileFilled(statements: string): string[] {
  const found = (pattern: RegExp) => [...statements.matchAll(pattern)].map(([, table]) => String(table).toLowerCase());
  const made = new Set(found(TABLE));
  return [...found(INDEX), ...found(CONSTRAINT)].filter((table) => !made.has(table));
}

describe('migrations', () => {
  it('make indexes of tables with rows by `concurrently` only', () => {
    for (const { name, up } of MIGRATIONS) {
      if (typeof up !== 'string' || name.slice(0, 4) <= FROZEN) continue;
      assert.deepEqual(
        indexedWhileFilled(up),
        [],
        `${name}: use concurrently() of db/migrations/concurrent-indexes.ts`,
      );
    }
  });

  it('are found when they do otherwise', () => {
    assert.deepEqual(indexedWhileFilled('create table a (id int); create index a_id on a (id)'), []);
    assert.deepEqual(indexedWhileFilled('create  unique index\n if not exists b_id on b (id)'), ['b']);
    assert.deepEqual(indexedWhileFilled('alter table b add column c int, add constraint b_key unique (c)'), ['b']);
    assert.deepEqual(indexedWhileFilled('alter table b add constraint b_key unique using index b_id'), []);
  });

  it('are in the order of their names, each once', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].sort());
  });
});
