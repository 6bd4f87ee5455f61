// A worker container's health check: exit 0 if the worker of this host has written a heartbeat within the last minute.
import { hostname } from 'node:os';
import pg from 'pg';

const client = new pg.Client({
  connectionString: process.env.DATABASE_URL,
  application_name: 'worker-health',
  options: '-c role=bms_system',
  connectionTimeoutMillis: 5000,
});
try {
  await client.connect();
  const { rowCount } = await client.query(
    `select 1 from workers where host = $1 and seen_at > clock_timestamp() - interval '1 minute'`,
    [hostname()],
  );
  if (rowCount === 0) throw new Error(`no heartbeat of a worker on ${hostname()} within the last minute`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.end();
}
