/** Cursors of lists: the same rows in the same order as pages, also while rows come and go. */
import assert from 'node:assert/strict';
import { ROUTES } from '../../../api/routes.ts';
import { plantCanaries } from '../../helpers/canaries.ts';
import { useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';

type Row = Readonly<Record<string, unknown>>;

describe('cursors of lists', function () {
  this.timeout(300_000);
  const app = useApp();

  const page = async (path: string, query: string) => {
    const { status, body } = await app.client.get(`${path}?${query}`);
    assert.equal(status, 200, `${path}?${query}: ${JSON.stringify(body).slice(0, 500)}`);
    return body as {
      data: Row[];
      pagination: { total: number; has_more: boolean; next_cursor?: string | null };
    };
  };
  /** All rows of a list, by cursors. @param between called after each page */
  const all = async (path: string, query: string, between: (rows: Row[]) => Promise<void> = async () => undefined) => {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, pagination } = await page(path, `${query}&cursor=${cursor}`);
      rows.push(...data);
      assert.equal(pagination.has_more, pagination.next_cursor !== null);
      cursor = pagination.next_cursor as string | null;
      if (cursor !== null) await between(data);
    }
    return rows;
  };

  it('give the rows of each list in each of its orders, as pages do', async () => {
    await plantCanaries(app);
    const lists = ROUTES.filter(({ method, path, query }) => {
      const parameters = (query as { properties?: object } | undefined)?.properties ?? {};
      return method === 'GET' && 'cursor' in parameters && !path.includes(':');
    });
    assert.ok(lists.length > 50, String(lists.length));
    let compared = 0;
    for (const { path, query } of lists) {
      const { sort } = (query as { properties: { sort: { items: { enum: string[] } } } }).properties;
      const probe = await app.client.get(`${path}?limit=1`);
      // Some lists need further parameters.
      if (probe.status !== 200 || probe.body.pagination.total < 2) continue;
      const limit = Math.max(1, Math.ceil(Math.min(probe.body.pagination.total, 500) / 3));
      for (const order of sort.items.enum) {
        const whole = (await page(path, `sort=${order}&limit=500`)).data;
        if (whole.length === 500) continue;
        assert.deepEqual(await all(path, `sort=${order}&limit=${limit}`), whole, `${path} by ${order}`);
        compared++;
      }
    }
    assert.ok(compared > 200, String(compared));
  });

  it('neither hide nor repeat rows while others come and go', async () => {
    const path = '/api/partner-groups';
    const made: string[] = [];
    const make = async (code: string) => {
      const { body } = await app.client.post(path, { code, name: 'Same', codePrefix: code, isCustomer: true });
      made.push(body.data.id);
      return body.data.id as string;
    };
    for (const code of ['CA', 'CC', 'CE', 'CG', 'CI']) await make(code);
    const before = [...made];
    let gone = '';
    const seen = await all(path, 'name=Same&sort=name,-code&limit=2', async (rows) => {
      // One before and one after the place, and the very row on which the cursor stands goes.
      await make(`C${made.length}`);
      await make(`CZ${made.length}`);
      gone = String(rows.at(-1)?.id);
      await app.client.del(`${path}/${gone}`);
    });
    const ids = seen.map(({ id }) => String(id));
    assert.equal(new Set(ids).size, ids.length, 'none twice');
    for (const id of before) assert.ok(ids.includes(id), 'each that was there from the beginning');
  });

  it('go with filters, searches and custom fields', async () => {
    const unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const field = { table_name: 'Item', field_name: 'rank', label: 'Rank', type: 'DECIMAL', filterable: true };
    assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
    for (const [code, rank] of [
      ['R1', 3],
      ['R2', 1.5],
      ['R3', null],
      ['R4', 3],
    ] as const) {
      const body = { code, name: `Ranked ${code}`, uomId: unit, custom_rank: rank };
      const answer = await app.client.post('/api/items', body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    }
    const codes = async (query: string) => (await all('/api/items', query)).map(({ code }) => code);
    assert.deepEqual(await codes('q=Ranked&sort=custom_rank,code&limit=1'), ['R3', 'R2', 'R1', 'R4']);
    assert.deepEqual(await codes('q=Ranked&sort=-custom_rank,code&limit=1'), ['R1', 'R4', 'R2', 'R3']);
    assert.deepEqual(await codes('code[in]=R1,R4&sort=-code&limit=1'), ['R4', 'R1']);
  });

  it('are refused where they do not fit', async () => {
    const { pagination } = await page('/api/accounts', 'sort=code&limit=2&cursor=');
    const next = String(pagination.next_cursor);
    const of = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const query of [
      `cursor=${next}&sort=name`,
      `cursor=${next}&page=2&sort=code`,
      'cursor=x',
      `cursor=${of(['code', 'k'])}&sort=code`,
      `cursor=${of(['code', 'k', 1])}&sort=code`,
      `cursor=${of(['code', 'k', 'a\u0000'])}&sort=code`,
      `cursor=${of({})}`,
      `cursor=${'A'.repeat(5000)}`,
    ]) {
      assertProblem(await app.client.get(`/api/accounts?${query}`), 400, 'invalid_parameter');
    }
    for (const value of ['x', '2026-02-31 00:00:00+00', '2026-01-01', "'; drop table items"]) {
      const cursor = of(['createdAt', app.tenantId, value]);
      assertProblem(await app.client.get(`/api/items?sort=createdAt&cursor=${cursor}`), 400, 'invalid_parameter');
    }
    assert.equal((await page('/api/accounts', `sort=code&limit=2&cursor=${next}`)).data.length, 2);
  });
});
