import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { MIGRATIONS } from '../../db/migrations/index.ts';

/** The last migration of version 1.0.0: later ones are additive. */
const BASELINE = '0015-operation';
const LATER = MIGRATIONS.filter(({ name }) => name > BASELINE);

const INDEX = /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/gi;
const CONSTRAINT =
  /\balter\s+table\s+(\w+)[^;]*\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|exclude)\b(?!\s+using\s+index)/gi;
const TABLE = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi;

const COMMENT = /--.*$/gm;
/** `drop` is allowed where others go on without the thing: indexes, constraints, defaults, triggers, policies. */
const SUBTRACTIVE = [
  /\bdrop\s+(?:table|view|materialized\s+view|function|type|sequence|schema|extension)\b/i,
  /\balter\s+table\b[^;]*\bdrop\s+(?!constraint\b|not\s+null\b|default\b|identity\b|expression\b)\w+/i,
  /\balter\s+(?:table|view)\b[^;]*\brename\b/i,
  /\balter\s+table\b[^;]*\balter\s+(?:column\s+)?"?\w+"?\s+(?:set\s+data\s+)?type\b/i,
  /\balter\s+table\b[^;]*\bset\s+not\s+null\b/i,
  /\btruncate\b/i,
];
const ADDED =
  /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b|check\b|foreign\b)"?\w+"?\s[^,;]*?\bnot\s+null\b[^,;]*/gi;

/** Exclusion constraints cannot be made concurrently: migrations with one on a table of few rows. */
const EXCLUSIONS: Readonly<Record<string, string>> = { '0028-staff-leave-requests': 'absences' };

/** Tables with rows on which statements of a transaction make an index: everybody who writes to them would wait for it. */
function indexedWhileFilled(statements: string): string[] {
  const found = (pattern: RegExp) => [...statements.matchAll(pattern)].map(([, table]) => String(table).toLowerCase());
  const made = new Set(found(TABLE));
  return [...found(INDEX), ...found(CONSTRAINT)].filter((table) => !made.has(table));
}

/** Parts of a migration that processes of the version before would not survive. */
function subtractions(statements: string): string[] {
  const code = statements.replaceAll(COMMENT, '');
  const dropped = SUBTRACTIVE.flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
  const demanded = [...code.matchAll(ADDED)]
    .map(([added]) => added)
    .filter((added) => !/\bdefault\b|\bgenerated\b/i.test(added));
  return [...dropped, ...demanded];
}

describe('migrations', () => {
  it('make indexes of tables with rows by `concurrently` only', () => {
    for (const { name, up } of LATER) {
      if (typeof up !== 'string') continue;
      assert.deepEqual(
        indexedWhileFilled(up).filter((table) => table !== EXCLUSIONS[name]),
        [],
        `${name}: use concurrently() of db/migrations/concurrent-indexes.ts`,
      );
    }
  });

  it('are found when they make an index of a filled table otherwise', () => {
    assert.deepEqual(indexedWhileFilled('create table a (id int); create index a_id on a (id)'), []);
    assert.deepEqual(indexedWhileFilled('create  unique index\n if not exists b_id on b (id)'), ['b']);
    assert.deepEqual(indexedWhileFilled('alter table b add column c int, add constraint b_key unique (c)'), ['b']);
    assert.deepEqual(indexedWhileFilled('alter table b add constraint b_key unique using index b_id'), []);
  });

  it('are additive since version 1.0.0', () => {
    for (const { name, up } of LATER) {
      const statements = typeof up === 'string' ? up : 'perTenant' in up ? up.perTenant : '';
      assert.deepEqual(subtractions(statements), [], `${name} must be additive, see db/migrations/index.ts`);
    }
  });

  it('are found when they take something away, or demand a value that nobody writes', () => {
    for (const wrong of [
      'drop table goods',
      'alter table goods add price int, drop column code',
      'alter table goods drop code',
      'alter table goods rename column code to sku',
      'alter table goods rename to items',
      'alter view goods_shown rename to items_shown',
      'alter table goods alter column code type integer using code::integer',
      'alter table goods alter code set data type integer',
      'alter table goods alter price set not null',
      'alter table goods add column price integer not null',
      'alter table goods add price integer not null, add colour text',
      'truncate goods',
    ]) {
      assert.equal(subtractions(wrong).length, 1, wrong);
    }
    for (const right of [
      'alter table goods add column price integer not null default 0, add colour text',
      'alter table goods add constraint goods_price_check check (price is not null) not valid',
      'alter table goods drop constraint goods_price_check, alter price drop not null',
      'create table boxes (id int not null); -- drop table goods',
      'drop index goods_code; drop trigger goods_gone on goods',
    ]) {
      assert.deepEqual(subtractions(right), [], right);
    }
  });

  it('are in the order of their names, each once, and name their wing', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].sort());
    const wings = readdirSync(resolve(import.meta.dirname, '../../services'));
    const named = new RegExp(`^\\d{4}-(?:${wings.join('|')})(?:-[a-z-]+)?$`);
    assert.deepEqual(
      names.filter((name) => !named.test(name)),
      [],
    );
  });
});
