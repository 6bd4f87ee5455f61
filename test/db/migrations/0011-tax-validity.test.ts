import assert from 'node:assert/strict';
import { up } from '../../../db/migrations/0011-tax-validity.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { testCompany } from '../../helpers/company.ts';

describe('migration 0011', () => {
  it('ends rates that overlapped where the next begins, and lets none overlap from then on', async () => {
    const company = await testCompany();
    try {
      await connect(
        company.url,
        async (client) => {
          await client.query(
            'alter table taxes drop constraint taxes_no_overlap, drop constraint taxes_valid_to_check',
          );
          const add = (from: string | null, to: string | null) =>
            client.query(
              `insert into taxes (id, tenant_id, code, name, rate, valid_from, valid_to, created_at, updated_at)
               values (gen_random_uuid(), $1, 'OLD', 'OLD', 1, $2, $3, now(), now())`,
              [company.ctx.tenantId, from, to],
            );
          await add(null, null);
          await add('2026-01-01', '2027-06-30');
          await add('2027-01-01', '2027-12-31');
          await add('2029-01-01', null);
          await client.query(up);
          const { rows } = await client.query<{ span: string }>(
            `select coalesce(valid_from::text, '') || '/' || coalesce(valid_to::text, '') as span
             from taxes where code = 'OLD' order by valid_from nulls first`,
          );
          assert.deepEqual(
            rows.map(({ span }) => span),
            ['/2025-12-31', '2026-01-01/2026-12-31', '2027-01-01/2027-12-31', '2029-01-01/'],
          );
          await assert.rejects(add('2028-06-01', null), /taxes_no_overlap/);
          const { rows: forced } = await client.query(
            `select relforcerowsecurity as forced from pg_class where relname = 'taxes'`,
          );
          assert.deepEqual(forced, [{ forced: true }]);
        },
        30_000,
      );
    } finally {
      await company.close();
    }
  });
});
