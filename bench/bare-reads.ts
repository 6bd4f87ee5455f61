/** The baseline for reads: Koa, the driver, and one prepared query per read, with the service's bodies by path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Koa from 'koa';
import pg from 'pg';

const bodies = (await json(process.stdin)) as Readonly<Record<string, { data: { id: string } | { id: string }[] }>>;
const { DATABASE_URL, TENANT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20, options: `-c app.tenant_id=${TENANT}` });

const app = new Koa();
app.use(async (http) => {
  const body = bodies[http.path];
  if (body === undefined) return;
  const { data } = body;
  if (Array.isArray(data)) await pool.query({ name: 'list', text: 'select * from partners order by id limit 50' });
  else await pool.query({ name: 'one', text: 'select * from partners where id = $1', values: [data.id] });
  http.body = body;
});
const server = createServer(app.callback());
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
