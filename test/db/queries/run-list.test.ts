import assert from 'node:assert/strict';
import { Database, type PoolReader } from '../../../db/database.ts';
import { type ListDefinition, parseListQuery } from '../../../db/queries/list.ts';
import { runList } from '../../../db/queries/run-list.ts';
import { runOn } from '../../../db/sql.ts';
import { useCompany } from '../../helpers/hooks.ts';

const ITEMS: ListDefinition = {
  defaultSort: 'code',
  defaultLimit: 2,
  fields: { code: { type: 'text', notNull: true, searchable: true }, name: { type: 'text' } },
};

describe('pages of lists', () => {
  const company = useCompany();
  let one: Database;
  let reader: PoolReader;
  before(async () => {
    for (const code of ['P1', 'P2', 'P3', 'P4']) await company.item({ code, name: `Artículo ${code}` });
    one = new Database({ url: company.url, poolSize: 1, applicationName: 'test-lists' });
    reader = one.reader(company.ctx);
  });
  after(() => one.close());

  const page = (parameters: Record<string, string>, where?: Record<string, string>) =>
    runList<{ code: string }>(reader, ITEMS, parseListQuery(ITEMS, parameters), {
      from: 'items',
      columns: ['code'],
      ...(where && { where }),
    });
  const prepared = async () => {
    const [row] = await runOn<{ n: number }>(reader, {
      text: "select count(*)::integer as n from pg_prepared_statements where statement like 'with page as%'",
    });
    return row?.n;
  };

  it('have their rows, and the number of all matches', async () => {
    const { rows, pagination } = await page({ 'code[contains]': 'P' });
    assert.deepEqual(rows, [{ code: 'P1' }, { code: 'P2' }]);
    assert.deepEqual(pagination, { total: 4, page: 1, per_page: 2, has_more: true });
    const last = await page({ 'code[contains]': 'P', page: '2' });
    assert.deepEqual(last.rows, [{ code: 'P3' }, { code: 'P4' }]);
    assert.equal(last.pagination.has_more, false);
  });

  it('may be empty, and are empty beyond the last', async () => {
    const none = { rows: [], pagination: { total: 0, page: 1, per_page: 2, has_more: false } };
    assert.deepEqual(await page({ code: 'none' }), none);
    const beyond = await page({ 'code[contains]': 'P', page: '9' });
    assert.deepEqual(beyond, { rows: [], pagination: { total: 4, page: 9, per_page: 2, has_more: false } });
  });

  it('count what a search has found once, without what was deleted meanwhile', async () => {
    const ids = await Promise.all(['S1', 'S2', 'S3'].map(async (code) => (await company.item({ code })).id));
    const [gone] = ids;
    const found = (keys: readonly (string | undefined)[]) => {
      const list = { ...ITEMS, search: async () => keys.map(String) };
      return runList<{ code: string }>(reader, list, parseListQuery(list, { q: 'searched' }), { from: 'items' });
    };
    const codes = ({ rows }: { rows: { code: string }[] }) => rows.map(({ code }) => code);
    const twice = await found([...ids, ...ids]);
    assert.deepEqual([codes(twice), twice.pagination.total], [['S1', 'S2'], 3]);
    await company.run((trx) => trx('items').where({ id: gone }).delete());
    const left = await found(ids.slice(0, 2));
    assert.deepEqual([codes(left), left.pagination.total], [['S2'], 1]);
    const none = await found([gone]);
    assert.deepEqual([none.rows, none.pagination.total], [[], 0]);
  });

  it('are planned once for the default parameters, and otherwise for each request', async () => {
    const before = await prepared();
    for (const parameters of [{ limit: '3' }, { page: '2' }, { sort: '-code' }, { q: 'P1' }, { name: 'x' }])
      await page(parameters);
    await page({}, { name: 'Artículo P1' });
    assert.equal(await prepared(), before);
    for (const parameters of [{}, { limit: '2' }, { sort: 'code', page: '1' }]) await page(parameters);
    assert.equal(await prepared(), (before ?? 0) + 1);
  });
});
