import assert from 'node:assert/strict';
import pg from 'pg';
import { APP_ROLE, SYSTEM_ROLE } from '../../db/database.ts';
import { kindOfTable } from '../../domain/platform/storage.ts';
import { createTestDatabase } from '../helpers/servers.ts';

/** Tables of records that clients create and may delete, with what goes with them, and those that triggers count. */
const MASTER_DATA = [
  'absences accounts api_keys asset_groups assets bank_accounts batches',
  'budget_lines budgets categories commission_rates cost_centers custom_field_index',
  'custom_fields customer_links deleted_custom_fields departments dunning_levels employee_contracts employee_cost_shares',
  'employee_tax_data employees entry_templates exchange_rates files group_account_mappings group_adjustments group_companies holidays',
  'idempotency_keys invitations item_barcodes item_components',
  'item_units items memberships parent_companies partner_addresses partner_groups partners pay_items payment_terms periods plugins',
  'price_lists price_rules prices projects promotions refresh_tokens rented_properties reorder_rules report_schedules',
  'roles salespeople series standard_costs storage_changes storage_rows stored_objects taxes time_records to_dos uoms warehouses zones',
].flatMap((line) => line.split(' '));

describe('the catalogue of the database', () => {
  let database: { url: string; drop(): Promise<void> };
  let client: pg.Client;
  const rows = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];

  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  it('forces row-level security by tenant on every table that has a tenant', async () => {
    const tables = await rows<{ name: string; enabled: boolean; forced: boolean; policies: number }>(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
        (select count(*)::int from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
           and '${APP_ROLE}' = any (p.roles) and p.qual like '%app.tenant_id%' and p.with_check like '%app.tenant_id%') as policies
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and has_table_privilege('${APP_ROLE}', c.oid, 'select')`);
    assert.ok(tables.length > 15);
    for (const table of tables) {
      assert.deepEqual({ ...table }, { name: table.name, enabled: true, forced: true, policies: 1 });
    }
  });

  it('counts the bytes of each table under a kind that says what it holds', async () => {
    const tables = await rows<{ name: string }>(`
      select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`);
    const others = tables.map(({ name }) => name).filter((name) => kindOfTable(name) === 'master_data');
    // A new table appears here unless it is given a kind of its own.
    assert.deepEqual(others, MASTER_DATA);
  });

  it('lets the application read no table without a policy but the workers’ signs of life, and views by its own rights alone', async () => {
    const open = await rows<{ name: string }>(`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relforcerowsecurity
        and not (c.relkind = 'v' and c.reloptions @> '{security_invoker=true}')
        and has_table_privilege('${APP_ROLE}', c.oid, 'select') order by 1`);
    assert.deepEqual(
      open.map(({ name }) => name),
      ['workers'],
    );
  });

  it('gives the roles no power over the database', async () => {
    const roles = await rows<Record<string, unknown>>(`
      select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
        (select count(*)::int from pg_class c where c.relowner = r.oid) as owned
      from pg_roles r where rolname in ('${APP_ROLE}', '${SYSTEM_ROLE}') order by rolname`);
    assert.equal(roles.length, 2);
    for (const { rolname: _, ...powers } of roles) {
      assert.deepEqual(powers, {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolcanlogin: false,
        owned: 0,
      });
    }
  });

  it('includes the tenant in every reference between tenant tables', async () => {
    const loose = await rows<{ name: string }>(`
      select con.conname as name from pg_constraint con
      where con.contype = 'f' and con.connamespace = 'public'::regnamespace
        and exists (select 1 from pg_attribute a where a.attrelid = con.conrelid and a.attname = 'tenant_id')
        and exists (select 1 from pg_attribute a where a.attrelid = con.confrelid and a.attname = 'tenant_id')
        and not exists (select 1 from pg_attribute a where a.attrelid = con.conrelid and a.attname = 'tenant_id'
          and a.attnum = any (con.conkey))`);
    assert.deepEqual(loose, []);
  });
});
