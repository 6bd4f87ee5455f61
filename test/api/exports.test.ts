import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { download, readCsv, readWorkbook, rowsOfSheet } from '../helpers/download.ts';
import { assertProblem } from '../helpers/problem.ts';

const NOW = new Date('2026-11-20T23:30:00Z'); // the 21st in Madrid
const NOBODY = '00000000-0000-7000-8000-000000000000';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('exports of lists', () => {
  let app: TestApp;
  let uomId: string;

  before(async () => {
    app = await startTestApp({ clock: { now: NOW } });
    uomId = (await app.client.get('/api/uom')).body.data[0].id;
    await create('/api/items', { code: 'A1', name: '=1+1', salePrice: 1234.5, minStock: 2.25 });
    await create('/api/items', {
      code: 'A2',
      name: 'Tornillo; 5" «ñ»',
      salePrice: 0.000001,
      description: 'dos\nlíneas',
    });
    await create('/api/items', { code: '007', name: '+34 912 345 678', type: 'service', sku: "'@x" });
  });
  after(() => app.stop());

  async function create(path: string, body: object): Promise<Record<string, string>> {
    const answer = await app.client.post(path, path === '/api/items' ? { uomId, ...body } : body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }

  describe('as CSV', () => {
    it('holds all that matches, under the REST names and by the conventions of the company', async () => {
      const response = await download(app, '/api/items?format=csv&sort=-code&page=2&limit=1');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('Content-Type'), 'text/csv; charset=utf-8');
      assert.equal(response.headers.get('Content-Disposition'), 'attachment; filename="items-2026-11-21.csv"');
      const rows = await readCsv(response, ';');
      const { body } = await app.client.get('/api/items?sort=-code');
      assert.deepEqual(Object.keys(rows[0] ?? {}), Object.keys(body.data[0]).sort(byOrderOf(rows[0])));
      assert.deepEqual(
        rows.map(({ code, name, sku, salePrice, minStock, description, stockTracked, createdAt }) => {
          return { code, name, sku, salePrice, minStock, description, stockTracked, createdAt };
        }),
        [
          ['A2', 'Tornillo; 5" «ñ»', '', '0,000001', '0', 'dos\nlíneas', 'true', '21/11/2026 00:30:00'],
          ['A1', "'=1+1", '', '1234,5', '2,25', '', 'true', '21/11/2026 00:30:00'],
          ['007', '+34 912 345 678', "''@x", '0', '0', '', 'false', '21/11/2026 00:30:00'],
        ].map(([code, name, sku, salePrice, minStock, description, stockTracked, createdAt]) => {
          return { code, name, sku, salePrice, minStock, description, stockTracked, createdAt };
        }),
      );
    });

    it('follows filters and search', async () => {
      const codes = async (query: string) =>
        (await readCsv(await download(app, `/api/items?format=csv&${query}`), ';')).map(({ code }) => code);
      assert.deepEqual(await codes('type=service'), ['007']);
      assert.deepEqual(await codes('q=torn'), ['A2']);
      assert.deepEqual(await codes('salePrice[gt]=0&sort=salePrice'), ['A2', 'A1']);
      assert.deepEqual(await codes('code=none'), []);
    });

    it('is only the header where nothing matches', async () => {
      const response = await download(app, '/api/items?format=csv&code=none');
      assert.match(await response.text(), /^id;code;[\w;]+\r\n$/);
    });

    it('has the signs and days of another locale', async () => {
      const format = { locale: 'en-US', dateFormat: 'MM/dd/yyyy', timezone: 'America/New_York' };
      assert.equal((await app.client.put('/api/config/format', format)).status, 200);
      try {
        const response = await download(app, '/api/items?format=csv&code=A1');
        assert.match(response.headers.get('Content-Disposition') ?? '', /items-2026-11-20\.csv/);
        const [row] = await readCsv(response, ',');
        assert.equal(row?.salePrice, '1234.5');
        assert.equal(row?.createdAt, '11/20/2026 18:30:00');
      } finally {
        await app.client.put('/api/config/format', {});
      }
    });

    it('holds the heads of documents, with the partner in columns of its own', async () => {
      const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
      const partner = await create('/api/partners', { code: 'C1', name: '-Ana; «Café»', groupId: group.id });
      const [tax] = (await app.client.get('/api/taxes?code=IVA21')).body.data;
      const line = { description: 'Work', quantity: 3, price: 10.5, taxGroupId: tax.id };
      const order = await create('/api/sales', {
        partnerId: partner.id,
        lines: [line],
        billingAddress: { city: 'Gijón' },
      });
      const [row] = await readCsv(await download(app, '/api/sales?format=csv'), ';');
      assert.equal(row?.id, order.id);
      assert.equal(row?.['partner.code'], 'C1');
      assert.equal(row?.['partner.name'], "'-Ana; «Café»");
      assert.equal(row?.['billingAddress.city'], 'Gijón');
      assert.equal(row?.date, '21/11/2026');
      assert.equal(row?.subtotal, '31,5');
      assert.ok(row !== undefined && !('lines' in row) && !('partner.id' in row));
    });

    it('belongs to the company alone', async () => {
      const other = await app.client.post('/api/tenants', { name: 'Otra SL', taxId: 'B87654323', country: 'ES' });
      assert.equal(other.status, 201, JSON.stringify(other.body));
      const response = await download(app, '/api/items?format=csv', {
        headers: { 'x-tenant-id': other.body.data.id },
      });
      assert.deepEqual(await readCsv(response, ';'), []);
    });
  });

  describe('as Excel', () => {
    it('has real numbers, days and truth values in the forms of the company', async () => {
      const response = await download(app, '/api/items?format=excel&code=A1');
      assert.equal(response.headers.get('Content-Type'), EXCEL);
      assert.equal(response.headers.get('Content-Disposition'), 'attachment; filename="items-2026-11-21.xlsx"');
      const workbook = await readWorkbook(response);
      const sheet = workbook.worksheets[0];
      assert.ok(sheet !== undefined, 'there is a sheet');
      assert.equal(sheet.name, 'Items');
      assert.deepEqual(
        sheet.views.map(({ state, ...view }) => [state, (view as { ySplit?: number }).ySplit]),
        [['frozen', 1]],
      );
      assert.equal(sheet.getRow(1).getCell(1).font.bold, true);
      assert.ok(sheet.autoFilter, 'the columns can be filtered');
      assert.ok((sheet.getColumn(1).width ?? 0) > 36, 'an id fits into its column');
      const [row] = rowsOfSheet(sheet);
      assert.deepEqual([row?.salePrice?.value, row?.salePrice?.numFmt], [1234.5, '#,##0.00####']);
      assert.equal(row?.stockTracked?.value, true);
      assert.deepEqual([row?.name?.value, row?.name?.numFmt], ["'=1+1", '@']);
      assert.deepEqual(row?.createdAt?.value, new Date('2026-11-21T00:30:00Z'));
      assert.equal(row?.createdAt?.numFmt, 'dd/mm/yyyy hh:mm:ss');
      assert.equal(row?.sku?.value, null);
    });

    it('shows quantities with their own decimals', async () => {
      await app.client.put('/api/config/format', { decimalPrecision: 3, quantityPrecision: 0 });
      try {
        const workbook = await readWorkbook(await download(app, '/api/items?format=excel&code=A1'));
        const [row] = rowsOfSheet(workbook.worksheets[0] as never);
        assert.equal(row?.minStock?.numFmt, '#,##0');
        assert.equal(row?.salePrice?.numFmt, '#,##0.000###');
      } finally {
        await app.client.put('/api/config/format', {});
      }
    });

    it('has days of documents as days', async () => {
      const [row] = rowsOfSheet(
        (await readWorkbook(await download(app, '/api/sales?format=excel'))).worksheets[0] as never,
      );
      assert.deepEqual(row?.date?.value, new Date('2026-11-21T00:00:00Z'));
      assert.equal(row?.date?.numFmt, 'dd/mm/yyyy');
    });

    it('is only the header where nothing matches', async () => {
      const workbook = await readWorkbook(await download(app, '/api/items?format=excel&code=none'));
      assert.equal(workbook.worksheets[0]?.rowCount, 1);
    });
  });

  describe('by convention', () => {
    it('json is the page as without a format', async () => {
      const [plain, named] = await Promise.all([
        app.client.get('/api/items?limit=2'),
        app.client.get('/api/items?limit=2&format=json'),
      ]);
      assert.deepEqual(named.body, plain.body);
    });

    it('other formats and bad parameters are refused as in the list itself', async () => {
      for (const query of [
        'format=pdf',
        'format=',
        'format=csv&page=0',
        'format=csv&nothing=1',
        'format=excel&sort=x',
      ]) {
        assertProblem(await app.client.get(`/api/items?${query}`), 400, 'invalid_parameter');
      }
      assertProblem(await app.client.get('/api/stock?format=csv&groupBy=x'), 400, 'invalid_parameter');
      assertProblem(await app.anonymous.get('/api/items?format=csv'), 401, 'unauthorized');
    });

    it('naming the format is enough for a client that accepts the type, and a client that says nothing of it', async () => {
      for (const Accept of ['text/csv', 'application/json', '*/*']) {
        const response = await download(app, '/api/items?format=csv', { headers: { Accept } });
        assert.equal(response.status, 200, Accept);
        await response.arrayBuffer();
      }
      const excel = await download(app, '/api/items?format=excel', { headers: { Accept: EXCEL } });
      assert.equal(excel.status, 200);
      await excel.arrayBuffer();
      assertProblem(await app.client.get('/api/items', { Accept: 'text/csv' }), 406, 'not_acceptable');
    });

    it('HEAD has the headers alone', async () => {
      const response = await download(app, '/api/items?format=csv', { method: 'HEAD' });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('Content-Disposition') ?? '', /items-/);
      assert.equal(await response.text(), '');
    });

    it('every list exports what its JSON says, as the description promises', async () => {
      const { paths } = (await app.client.get('/api/openapi.json')).body;
      const lists = Object.keys(paths).filter(
        (path) =>
          paths[path].get?.responses['200']['x-files'] !== undefined &&
          // What is suggested is worked out for the page that is shown; the lines themselves are exported.
          path !== '/api/bank-statements/{id}/suggestions',
      );
      assert.ok(lists.length >= 20, `${lists.length} lists`);
      const webhook = { name: 'W', url: 'https://example.test/hook', events: ['document.created'] };
      await create('/api/webhooks', webhook);
      for (const path of lists) {
        const answer = paths[path].get.responses['200'];
        assert.deepEqual(Object.keys(answer.content), ['application/json'], path);
        assert.deepEqual(Object.values(answer['x-files']), ['text/csv', EXCEL], path);
        const below = path.includes('{id}');
        const parents = below ? (await app.client.get(path.replace(/\/\{id\}.*/, ''))).body.data : [];
        // Below nothing there is nothing, in any format.
        const address = path.replace('{id}', parents[0]?.id ?? NOBODY).replace('{table}', 'Item');
        const [json, csv, excel] = await Promise.all([
          app.client.get(`${address}?limit=500`),
          download(app, `${address}?format=csv`),
          download(app, `${address}?format=excel`),
        ]);
        const status = below && parents.length === 0 ? 404 : 200;
        assert.deepEqual([json.status, csv.status, excel.status], [status, status, status], address);
        if (status === 404) continue;
        const rows = await readCsv(csv, ';');
        const sheet = (await readWorkbook(excel)).worksheets[0];
        // The exports themselves are not audited, so that the lists are still the same.
        assert.equal(rows.length, json.body.pagination.total, `${address} as CSV`);
        assert.equal((sheet?.rowCount ?? 0) - 1, rows.length, `${address} as Excel`);
        const [first] = json.body.data;
        for (const [name, value] of Object.entries(first ?? {})) {
          if (typeof value === 'string') assert.ok(rows[0] && name in rows[0], `${address} has a column ${name}`);
        }
      }
    });
  });
});

/** The order of an object's members. */
function byOrderOf(row: object | undefined): (one: string, other: string) => number {
  const names = Object.keys(row ?? {});
  return (one, other) => names.indexOf(one) - names.indexOf(other);
}
