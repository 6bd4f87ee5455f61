import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { readTables, schemaPage } from '../../tools/schema-page.ts';
import { createTestDatabase } from '../helpers/servers.ts';

describe('the page about the schema', () => {
  let database: { url: string; drop(): Promise<void> };
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  /** Tables, views and columns without a comment; columns of views are those of their tables. */
  async function withoutMeaning(): Promise<string[]> {
    const tables = await readTables(client);
    assert.ok(tables.length > 90, `${tables.length} tables`);
    return tables.flatMap(({ name, isView, meaning, columns }) => [
      ...(meaning === null ? [name] : []),
      ...columns.filter((column) => !isView && column.meaning === null).map((column) => `${name}.${column.name}`),
    ]);
  }

  it('has a meaning for every table and column', async () => {
    assert.deepEqual(await withoutMeaning(), []);
    await client.query(
      'begin; comment on column documents.total is null; create view totals as select total from documents',
    );
    assert.deepEqual(await withoutMeaning(), ['documents.total', 'totals']);
    await client.query('rollback');
  });

  it('is current: `npm run schema` writes it', async () => {
    const written = readFileSync(new URL('../../docs/schema.md', import.meta.url), 'utf8');
    assert.equal(written, await schemaPage(client));
  });

  it('changes with the schema', async () => {
    const before = await schemaPage(client);
    await client.query('begin; alter table documents add column colour text');
    assert.notEqual(await schemaPage(client), before);
    await client.query('rollback');
  });
});
