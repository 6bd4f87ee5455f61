/** `npm run schema`: writes docs/schema.md from a database that the migrations have just made. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTestDatabase, stopTestServers } from '../test/helpers/servers.ts';
import { schemaPage } from './schema-page.ts';

try {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  writeFileSync(fileURLToPath(new URL('../docs/schema.md', import.meta.url)), await schemaPage(client));
  await client.end();
  await database.drop();
} finally {
  await stopTestServers();
}
