import assert from 'node:assert/strict';
import { type ListDefinition, parseListQuery } from '../../../../db/queries/list.ts';
import { pageStatement, runList } from '../../../../db/queries/run-list.ts';
import { runOn } from '../../../../db/sql.ts';
import { loadActiveFields } from '../../../../services/records/custom-fields/definitions.ts';
import { withCustomFilters } from '../../../../services/records/custom-fields/list-fields.ts';
import { customFields } from '../../../../services/records/master-data/custom-fields.ts';
import { changeOne, createOne } from '../../../../services/records/resources/rows.ts';
import { addCompany, type TestCompany } from '../../../helpers/company.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const ROWS = 100_000;
const LIST: ListDefinition = { defaultSort: 'code', fields: { code: { type: 'text' } } };
const OPTIONS = Array.from({ length: 100 }, (_, index) => `o${index}`);

describe('the index of custom fields', function () {
  this.timeout(120_000);
  type Run = Pick<TestCompany, 'run' | 'ctx'>;

  const define = ({ run, ctx }: Run, field: Record<string, unknown>) =>
    run(async (trx) => {
      const scope = { trx, ctx, role: 'owner' };
      await customFields.lock?.(scope);
      return createOne(customFields, scope, { table_name: 'Item', label: 'L', ...field });
    });
  const fill = ({ run, ctx }: Run, uomQuery: string) =>
    run((trx) =>
      trx.raw(
        `insert into items (id, tenant_id, code, name, uom_id, stock_tracked, version, created_at, updated_at, custom)
         select gen_random_uuid(), ?::uuid, 'X' || n, 'Artículo ' || n, (select uom_id from items where id = ?), false, 1, now(), now(),
           jsonb_build_object('word', 'w' || n, 'amount', n / 100.0, 'day', (date '2000-01-01' + n % 10000)::text, 'late', n,
             'kinds', jsonb_build_array('o' || n % 100))
         from generate_series(1, ${ROWS}) n`,
        [ctx.tenantId, uomQuery],
      ),
    );
  /** Returns the answer of a list and the plan of its query. */
  const list = (query: Record<string, string>, by: Run = company) =>
    by.run(async (trx) => {
      const definition = withCustomFilters(LIST, await loadActiveFields(trx, by.ctx, 'Item'));
      const parsed = parseListQuery(definition, query);
      const { pagination } = await runList(trx, definition, parsed, { from: 'items' });
      const { text, ...values } = pageStatement(definition, parsed, { from: 'items' });
      const rows = await runOn<Record<string, string>>(trx, { text: `explain ${text}`, ...values });
      return { total: pagination.total, plan: rows.map((row) => row['QUERY PLAN']).join('\n') };
    });

  const company = useCompany();
  before(async () => {
    await fill(company, company.itemId);
    await define(company, { field_name: 'word', type: 'TEXT', filterable: true });
    await define(company, { field_name: 'amount', type: 'DECIMAL', filterable: true });
    await define(company, { field_name: 'day', type: 'DATE', filterable: true });
    await define(company, { field_name: 'kinds', type: 'MULTISELECT', options: OPTIONS, filterable: true });
    const other = await addCompany(company.database, company.url);
    await define(other, { field_name: 'word', type: 'TEXT', filterable: true });
    await other.run((trx) =>
      trx('items')
        .where({ id: other.itemId })
        .update({ custom: { word: 'w7' } }),
    );
  });

  const cases: [query: Record<string, string>, total: number, index: string][] = [
    [{ custom_word: 'w7' }, 1, 'custom_field_index_text'],
    [{ 'custom_word[in]': 'w7,w70000,none' }, 2, 'custom_field_index_text'],
    [{ custom_amount: '12.34' }, 1, 'custom_field_index_number'],
    [{ 'custom_amount[gte]': '10', 'custom_amount[lt]': '10.05' }, 5, 'custom_field_index_number'],
    [{ 'custom_amount[gt]': '999.99' }, 1, 'custom_field_index_number'],
    [{ 'custom_day[gte]': '2000-01-01', 'custom_day[lt]': '2000-01-03' }, 20, 'custom_field_index_text'],
    [{ custom_kinds: 'o7' }, 1000, 'custom_field_index_text'],
  ];
  for (const [query, total, index] of cases) {
    it(`finds ${JSON.stringify(query)} among ${ROWS} records`, async () => {
      const found = await list(query);
      assert.equal(found.total, total);
      assert.match(found.plan, new RegExp(`using ${index}|on ${index}`), found.plan);
      assert.doesNotMatch(found.plan, /Seq Scan on (items|custom_field_index)/, found.plan);
    });
  }

  it('is filled when a field becomes filterable, and emptied when it is so no longer', async () => {
    const field = await define(company, { field_name: 'late', type: 'NUMBER' });
    const entries = async () =>
      Number(
        (await company.rows('select count(*) as count from custom_field_index where field_id = ?', [field.id]))[0]
          ?.count,
      );
    const before = await list({ custom_late: '4711' });
    assert.equal(before.total, 1);
    assert.doesNotMatch(before.plan, /custom_field_index/);
    assert.equal(await entries(), 0);
    const change = (current: typeof field, filterable: boolean) =>
      company.run((trx) => changeOne(customFields, { trx, ctx: company.ctx, role: 'owner' }, current, { filterable }));
    const changed = await change(field, true);
    assert.equal(await entries(), ROWS);
    const after = await list({ custom_late: '4711' });
    assert.equal(after.total, 1);
    assert.match(after.plan, /custom_field_index_number/);
    await change(changed, false);
    assert.equal(await entries(), 0);
    assert.equal((await list({ custom_late: '4711' })).total, 1);
  });

  it('follows its records', async () => {
    const set = (custom: object) =>
      company.run((trx) =>
        trx('items')
          .where({ id: company.itemId })
          .update({ custom: JSON.stringify(custom) }),
      );
    await set({ word: 'first', kinds: ['o1', 'o2'] });
    assert.equal((await list({ custom_word: 'first' })).total, 1);
    await set({ word: 'second' });
    assert.equal((await list({ custom_word: 'first' })).total, 0);
    assert.equal((await list({ custom_word: 'second' })).total, 1);
    const entries = () => company.rows('select 1 from custom_field_index where row_id = ?', [company.itemId]);
    assert.equal((await entries()).length, 1);
    await company.run((trx) => trx('items').where({ id: company.itemId }).delete());
    assert.equal((await entries()).length, 0);
  });
});
