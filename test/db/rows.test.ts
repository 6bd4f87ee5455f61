import assert from 'node:assert/strict';
import pg from 'pg';
import { Database } from '../../db/database.ts';
import { fetchRows } from '../../db/rows.ts';
import { prepared, query } from '../../db/sql.ts';
import { useCompany, useOtherCompany } from '../helpers/hooks.ts';

const VALUES = `select 'a "text"' as text, null::text as nothing, 12.5000::numeric as exact, 7 as whole, 8::bigint as big, true as flag,
  date '2026-02-28' as day, '{"a": [1, null]}'::jsonb as json, array['x', 'y'] as list, '\\x00ff'::bytea as bytes,
  '01a20301-ad42-7478-b5ca-c1e4b385e9f7'::uuid as id, 1 as twice, null::integer as twice`;

describe('rows', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  let pool: pg.Pool;
  before(() => {
    pool = new pg.Pool({ connectionString: company.url, max: 1, pipeline: true });
  });
  after(() => pool.end());

  async function holding<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  it('equal those of the driver, even for prepared statements', async () => {
    await holding(async (client) => {
      const { rows: expected } = await client.query(VALUES);
      for (const name of [undefined, 'values', 'values', 'values']) {
        const statement = { ...(name === undefined ? {} : { name }), text: VALUES };
        assert.deepEqual(await fetchRows(client, statement), expected, name);
      }
    });
  });

  it('have members of any name, and the last value of one that comes twice', async () => {
    await holding(async (client) => {
      const text = `select 1 as "a b", 2 as "it's ""quoted"" \\ ", 3 as "?column?", 4 as twice, 5 as twice, 6 as "\u2028"`;
      const { rows: expected } = await client.query(text);
      assert.deepEqual(await fetchRows(client, { text }), expected);
    });
  });

  it('are an empty list for statements without rows', async () => {
    await holding(async (client) => {
      assert.deepEqual(await fetchRows(client, { text: 'select 1 where false' }), []);
      assert.deepEqual(await fetchRows(client, { name: 'set', text: 'set application_name = rows' }), []);
      assert.deepEqual(await fetchRows(client, { name: 'set', text: 'set application_name = rows' }), []);
    });
  });

  it('are refused with the error of their statement, and the next one runs', async () => {
    await holding(async (client) => {
      for (const name of ['failing', 'failing']) {
        const statement = { name, text: 'select 1 / $1::integer as one' };
        await assert.rejects(fetchRows(client, { ...statement, values: [0] }), /division by zero/);
        assert.deepEqual(await fetchRows(client, { ...statement, values: [1] }), [{ one: 1 }]);
      }
      await assert.rejects(fetchRows(client, { text: 'select nonsense' }), /nonsense/);
    });
  });

  it('have instants as ISO 8601 in milliseconds, however PostgreSQL writes them', async () => {
    const one = new Database({ url: company.url, poolSize: 1, applicationName: 'test-instants' });
    const written = [
      '2026-03-31 08:15:00+00',
      '2026-03-31 08:15:00.1+00',
      '2026-03-31 08:15:00.123456+00',
      '0099-01-01 00:00:00+00',
    ];
    try {
      const rows = await query<{ at: string }>(
        one.reader(company.ctx),
        'select unnest(:written::timestamptz[]) as at',
        { written },
      );
      assert.deepEqual(
        rows.map(({ at }) => at),
        [
          '2026-03-31T08:15:00.000Z',
          '2026-03-31T08:15:00.100Z',
          '2026-03-31T08:15:00.123Z',
          '0099-01-01T00:00:00.000Z',
        ],
      );
    } finally {
      await one.close();
    }
  });

  it('belong to the right company after a failed read of another', async () => {
    const one = new Database({ url: company.url, poolSize: 1, applicationName: 'test-failed' });
    const seen = (tenantId: string) =>
      prepared<{ tenant: string }>(one.reader({ tenantId }), 'select distinct tenant_id as tenant from series', {});
    try {
      for (const { ctx } of [company, other, company]) {
        const { tenantId } = ctx;
        const neighbour = (ctx === company.ctx ? other : company).ctx;
        assert.deepEqual(await seen(tenantId), [{ tenant: tenantId }]);
        await assert.rejects(query(one.reader(neighbour), 'select 1 / :by::integer', { by: 0 }), /division by zero/);
        assert.deepEqual(await seen(tenantId), [{ tenant: tenantId }]);
      }
    } finally {
      await one.close();
    }
  });
});
