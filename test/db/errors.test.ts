import assert from 'node:assert/strict';
import pg from 'pg';
import { query } from '../../db/sql.ts';
import { ServiceError } from '../../domain/errors.ts';
import { useCompany } from '../helpers/hooks.ts';

describe('errors of the database', () => {
  let admin: pg.Client;
  const company = useCompany();
  before(async () => {
    admin = new pg.Client({ connectionString: company.url });
    await admin.connect();
  });
  after(async () => {
    await admin?.end();
  });

  it('report an outage when the connection breaks during a transaction, also to later statements on it', async () => {
    const messages: string[] = [];
    const broken = company.run(async (trx) => {
      const [backend] = await query<{ pid: number }>(trx, 'select pg_backend_pid() as pid', {});
      await admin.query('select pg_terminate_backend($1, 5000)', [backend?.pid]);
      for (let statement = 1; statement <= 2; statement++) {
        const error = await query(trx, 'select 1', {}).then(
          () => assert.fail('a statement ran on a broken connection'),
          (thrown: unknown) => thrown as Error,
        );
        messages.push(error.message);
        if (statement === 2) throw error;
      }
    });
    await assert.rejects(broken, (error) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.deepEqual([error.code, error.status], ['unavailable', 503]);
      return true;
    });
    assert.match(messages[1] ?? '', /is not queryable/);
    // The pool makes a new connection.
    assert.deepEqual(await company.rows('select 1 as one'), [{ one: 1 }]);
  });
});
