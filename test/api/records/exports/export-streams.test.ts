import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { listRoute } from '../../../../api/lists/list-route.ts';
import { ROUTES } from '../../../../api/routes.ts';
import { newId } from '../../../../db/ids.ts';
import { download, readCsv, readWorkbook } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const ROWS = 20_000;
/** A list whose rows fail after so many, when they are in the answer already. */
const FAILS_AT = 15_000;

const brittle = listRoute({
  tag: 'Test',
  path: '/api/brittle',
  id: 'listBrittleRows',
  summary: 'Rows that fail',
  access: 'member',
  list: { fields: { n: { type: 'integer' } }, defaultSort: 'n', key: 'n' },
  row: Type.Object({ n: Type.Integer(), note: Type.String() }),
  rows: () => ({
    from: `(select n, repeat(md5(n::text), 4) as note from generate_series(1, ${ROWS}) n) as series`,
    toJson(row: { n: number }) {
      if (row.n === FAILS_AT) throw new Error('this row cannot be shown');
      return row;
    },
  }),
});

describe('streams of exports', () => {
  const app = useApp({ env: { DATABASE_POOL_SIZE: '10' }, routes: [...ROUTES, brittle] });
  before(async () => {
    await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      await trx.raw(
        `insert into uoms (id, tenant_id, code, name, created_at, updated_at)
         select gen_random_uuid(), ?, 'U' || lpad(n::text, 6, '0'), repeat(md5(n::text), 6), now(), now()
           from generate_series(1, ${ROWS}) n`,
        [app.tenantId],
      );
    });
  });

  async function released(): Promise<void> {
    for (let tries = 0; app.database.poolUsage().used > 0; tries++) {
      assert.ok(tries < 400, `${app.database.poolUsage().used} connections are still held`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  it('a streamed file warns of no leak', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    for (const format of ['csv', 'excel']) {
      await (await download(app, `/api/uom?format=${format}&code=U000001`)).arrayBuffer();
      await released();
    }
    // Node.js emits warnings after the call that causes them.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  it('all rows come once, as they were when it began', async () => {
    const response = await download(app, '/api/uom?format=csv&header=names&code[contains]=U0');
    // The first rows are being sent: later changes are not exported.
    await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      await trx.raw(
        `insert into uoms (id, tenant_id, code, name, created_at, updated_at) values (?, ?, 'U0late', 'Late', now(), now())`,
        [newId(), app.tenantId],
      );
      await trx('uoms').where({ code: 'U020000' }).delete();
    });
    const codes = (await readCsv(response, ';')).map(({ code }) => code);
    assert.equal(codes.length, ROWS);
    assert.deepEqual(codes, [...new Set(codes)].sort());
    assert.equal(codes.at(-1), 'U020000');
  });

  it('a workbook of many rows is whole', async () => {
    const workbook = await readWorkbook(await download(app, '/api/uom?format=excel&header=names&code[contains]=U0'));
    assert.equal(workbook.worksheets[0]?.rowCount, ROWS + 1);
  });

  for (const format of ['csv', 'excel']) {
    it(`a client that goes away frees the connection at once (${format})`, async () => {
      const client = new AbortController();
      const response = await download(app, `/api/uom?format=${format}&header=names`, { signal: client.signal });
      const reader = response.body?.getReader();
      await reader?.read();
      assert.ok(app.database.poolUsage().used > 0, 'the export holds a connection');
      client.abort();
      await released();
    });

    it(`what fails under way breaks the connection off (${format})`, async () => {
      const response = await download(app, `/api/brittle?format=${format}&header=names`);
      assert.equal(response.status, 200);
      await assert.rejects(response.arrayBuffer(), /terminated|aborted/);
      await released();
    });
  }

  it('exports leave connections for everybody else', async () => {
    const clients = new AbortController();
    const open = () => download(app, '/api/uom?format=csv&header=names', { signal: clients.signal });
    const running = [await open(), await open()];
    assert.deepEqual(
      running.map(({ status }) => status),
      [200, 200],
    );
    const refused = await app.client.get('/api/uom?format=csv&header=names');
    assertProblem(refused, 429, 'too_many_requests');
    assert.equal(refused.headers.get('Retry-After'), '5');
    assert.equal((await app.client.get('/api/uom')).status, 200);
    const short = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const format = index % 2 === 0 ? 'csv' : 'excel';
        const answer = await download(app, `/api/taxes?format=${format}`);
        return [answer.status, (await answer.arrayBuffer()).byteLength > 100];
      }),
    );
    assert.deepEqual(
      short,
      short.map(() => [200, true]),
      'what fits a page takes no place',
    );
    clients.abort();
    await released();
    const again = await open().catch(() => undefined);
    assert.equal(again, undefined, 'an aborted client asks for nothing');
    assert.equal((await readCsv(await download(app, '/api/uom?format=csv&header=names&code=U000001'), ';')).length, 1);
  });
});
