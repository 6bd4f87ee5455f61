import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { download, readCsv, readWorkbook, rowsOfSheet } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const NOW = new Date('2026-11-20T23:30:00Z'); // the 21st in Madrid
const NOBODY = '00000000-0000-7000-8000-000000000000';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('exports of lists', () => {
  let uomId: string;
  let uom: { id: string; code: string; name: string };

  const app = useApp({ clock: { now: NOW } });
  before(async () => {
    [uom] = (await app.client.get('/api/uom')).body.data;
    uomId = uom.id;
    await create('/api/items', { code: 'A1', name: '=1+1', salePrice: 1234.5, minStock: 2.25 });
    await create('/api/items', {
      code: 'A2',
      name: 'Tornillo; 5" «ñ»',
      salePrice: 0.000001,
      description: 'dos\nlíneas',
    });
    await create('/api/items', { code: '007', name: '+34 912 345 678', type: 'service', sku: "'@x" });
  });

  async function create(path: string, body: object): Promise<Record<string, string>> {
    const answer = await app.client.post(path, path === '/api/items' ? { uomId, ...body } : body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }

  describe('as CSV', () => {
    it('holds all that matches, under the REST names and by the conventions of the company', async () => {
      const [shown] = (await app.client.get('/api/items?sort=-code')).body.data;
      const fields = Object.keys(shown).join(',');
      const response = await download(
        app,
        `/api/items?format=csv&header=names&sort=-code&page=2&limit=1&fields=${fields}`,
      );
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('Content-Type'), 'text/csv; charset=utf-8');
      assert.equal(response.headers.get('Content-Disposition'), 'attachment; filename="items-2026-11-21.csv"');
      const rows = await readCsv(response, ';');
      assert.deepEqual(Object.keys(rows[0] ?? {}), Object.keys(shown));
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
        (await readCsv(await download(app, `/api/items?format=csv&header=names&${query}`), ';')).map(
          ({ code }) => code,
        );
      assert.deepEqual(await codes('type=service'), ['007']);
      assert.deepEqual(await codes('q=torn'), ['A2']);
      assert.deepEqual(await codes('salePrice[gt]=0&sort=salePrice'), ['A2', 'A1']);
      assert.deepEqual(await codes('code=none'), []);
    });

    it('is only the header where nothing matches', async () => {
      const response = await download(app, '/api/items?format=csv&header=names&code=none');
      assert.match(await response.text(), /^code;sku;[\w.;]+\r\n$/);
    });

    it('has the signs and days of another locale', async () => {
      const format = { locale: 'en-US', dateFormat: 'MM/dd/yyyy', timezone: 'America/New_York' };
      assert.equal((await app.client.put('/api/config/format', format)).status, 200);
      try {
        const response = await download(app, '/api/items?format=csv&header=names&code=A1');
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
      const [row] = await readCsv(await download(app, '/api/sales?format=csv&header=names'), ';');
      assert.equal(row?.code, order.code);
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
      const response = await download(app, '/api/items?format=csv&header=names', {
        headers: { 'x-tenant-id': other.body.data.id },
      });
      assert.deepEqual(await readCsv(response, ';'), []);
    });
  });

  describe('columns', () => {
    const ID = /[0-9a-f]{8}-[0-9a-f]{4}-/;
    const head = async (query: string) =>
      (await (await download(app, `/api/items?format=csv&${query}`)).text()).replace('\uFEFF', '').split('\r\n');

    it('are called in the language of the company, and have codes in place of ids', async () => {
      const [titles, first] = await head('code=A1');
      assert.match(String(titles), /^Código;SKU;Nombre;.*;Unidad;Precio de venta;.*;Impuesto de ventas;/);
      assert.match(String(first), new RegExp(`;${uom.code};1234,5;`));
      assert.doesNotMatch(`${titles}${first}`, ID);
      await app.client.put('/api/config/format', { locale: 'en-GB' });
      try {
        assert.match(String((await head('code=A1'))[0]), /^Code,SKU,Name,.*,Unit,Sale price,.*,Sales tax group,/);
      } finally {
        await app.client.put('/api/config/format', {});
      }
    });

    it('are those that are asked for, in their order, ids too', async () => {
      await create('/api/custom-fields', {
        table_name: 'Item',
        field_name: 'netWeight',
        label: 'Peso',
        type: 'DECIMAL',
      });
      await create('/api/items', { code: 'W1', name: 'Pesado', custom_netWeight: 2.5 });
      assert.deepEqual((await head('code=W1&fields=name,custom_netWeight,uom.name,uom.code,uomId,code')).slice(0, 2), [
        'Nombre;Peso;Unidad: nombre;Unidad;Unidad (ID);Código',
        `Pesado;2,5;${uom.name};${uom.code};${uomId};W1`,
      ]);
      assert.deepEqual((await head('code=W1&fields=code,custom_netWeight&header=names')).slice(0, 2), [
        'code;custom_netWeight',
        'W1;2,5',
      ]);
      const sheet = (await readWorkbook(await download(app, '/api/items?format=excel&code=W1&fields=code, name')))
        .worksheets[0];
      assert.deepEqual(
        rowsOfSheet(sheet as never).map((row) => [row.Código?.value, row.Nombre?.value]),
        [['W1', 'Pesado']],
      );
    });

    it('are refused where there are none', async () => {
      for (const bad of [
        'format=csv&fields=code,colour',
        'format=csv&fields=',
        'format=excel&fields=code,code',
        'format=csv&fields=code&header=none',
        'fields=colour',
        'fields=uom.code',
        'header=none',
      ]) {
        const answer = await app.client.get(`/api/items?${bad}`);
        assertProblem(answer, 400, 'invalid_parameter');
      }
      const { body } = await app.client.get('/api/items?format=csv&fields=colour');
      assert.match(body.detail, /colour does not exist; known fields are id, code, .*uom\.code/);
    });

    it('have titles that a page of JSON leaves alone, since generated clients send the default', async () => {
      const { status } = await app.client.get('/api/items?format=json&header=labels&page=1&limit=50');
      assert.equal(status, 200);
    });
  });

  describe('as Excel', () => {
    it('has real numbers, days and truth values in the forms of the company', async () => {
      const response = await download(
        app,
        '/api/items?format=excel&header=names&code=A1&fields=id,salePrice,stockTracked,name,createdAt,sku,description',
      );
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
        const workbook = await readWorkbook(await download(app, '/api/items?format=excel&header=names&code=A1'));
        const [row] = rowsOfSheet(workbook.worksheets[0] as never);
        assert.equal(row?.minStock?.numFmt, '#,##0');
        assert.equal(row?.salePrice?.numFmt, '#,##0.000###');
      } finally {
        await app.client.put('/api/config/format', {});
      }
    });

    it('has days of documents as days', async () => {
      const [row] = rowsOfSheet(
        (await readWorkbook(await download(app, '/api/sales?format=excel&header=names'))).worksheets[0] as never,
      );
      assert.deepEqual(row?.date?.value, new Date('2026-11-21T00:00:00Z'));
      assert.equal(row?.date?.numFmt, 'dd/mm/yyyy');
    });

    it('is only the header where nothing matches', async () => {
      const workbook = await readWorkbook(await download(app, '/api/items?format=excel&header=names&code=none'));
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
        'format=csv&header=names&page=0',
        'format=csv&header=names&nothing=1',
        'format=excel&header=names&sort=x',
      ]) {
        assertProblem(await app.client.get(`/api/items?${query}`), 400, 'invalid_parameter');
      }
      assertProblem(await app.client.get('/api/stock?format=csv&header=names&groupBy=x'), 400, 'invalid_parameter');
      assertProblem(await app.anonymous.get('/api/items?format=csv&header=names'), 401, 'unauthorized');
    });

    it('naming the format is enough for a client that accepts the type, and a client that says nothing of it', async () => {
      for (const Accept of ['text/csv', 'application/json', '*/*']) {
        const response = await download(app, '/api/items?format=csv&header=names', { headers: { Accept } });
        assert.equal(response.status, 200, Accept);
        await response.arrayBuffer();
      }
      const excel = await download(app, '/api/items?format=excel&header=names', { headers: { Accept: EXCEL } });
      assert.equal(excel.status, 200);
      await excel.arrayBuffer();
      assertProblem(await app.client.get('/api/items', { Accept: 'text/csv' }), 406, 'not_acceptable');
    });

    it('HEAD has the headers alone', async () => {
      const response = await download(app, '/api/items?format=csv&header=names', { method: 'HEAD' });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('Content-Disposition') ?? '', /items-/);
      assert.equal(await response.text(), '');
    });

    /** The exported lists, with the responses in their OpenAPI description. */
    const exported = async (): Promise<[path: string, answer: { content: object; 'x-files': object }][]> => {
      const { paths } = (await app.client.get('/api/openapi.json')).body;
      const lists = Object.keys(paths).filter(
        (path) =>
          paths[path].get?.responses['200']['x-files'] !== undefined &&
          // Suggestions are computed for the page shown; the lines themselves are exported.
          path !== '/api/bank-statements/{id}/suggestions' &&
          // A page, no list.
          path !== '/api/verifactu/declaration' &&
          !path.startsWith('/api/reports/'),
      );
      assert.ok(lists.length >= 20, `${lists.length} lists`);
      return lists.map((path) => [path, paths[path].get.responses['200']]);
    };

    it('every list promises both files in its description', async () => {
      for (const [path, answer] of await exported()) {
        assert.deepEqual(Object.keys(answer.content), ['application/json'], path);
        assert.deepEqual(Object.values(answer['x-files']), ['text/csv', EXCEL], path);
      }
    });

    it('every list exports what its JSON says, as the description promises', async function () {
      this.timeout(120_000);
      const webhook = { name: 'W', url: 'https://example.test/hook', events: ['document.created'] };
      await create('/api/webhooks', webhook);
      for (const [path] of await exported()) {
        const below = path.includes('{id}');
        const parents = below ? (await app.client.get(path.replace(/\/\{id\}.*/, ''))).body.data : [];
        // Below nothing there is nothing, in any format.
        const address = path.replace('{id}', parents[0]?.id ?? NOBODY).replace('{table}', 'Item');
        const json = await app.client.get(`${address}?limit=500`);
        const texts = Object.entries(json.body.data?.[0] ?? {}).flatMap(([name, value]) =>
          typeof value === 'string' ? [name] : [],
        );
        const fields = texts.length > 0 ? `&fields=${texts.join(',')}` : '';
        const [csv, excel] = await Promise.all([
          download(app, `${address}?format=csv&header=names${fields}`),
          download(app, `${address}?format=excel`),
        ]);
        const status = below && parents.length === 0 ? 404 : 200;
        assert.deepEqual(
          { jsonStatus: json.status, csvStatus: csv.status, excelStatus: excel.status },
          { jsonStatus: status, csvStatus: status, excelStatus: status },
          address,
        );
        if (status === 404) continue;
        const rows = await readCsv(csv, ';');
        const sheet = (await readWorkbook(excel)).worksheets[0];
        // The exports themselves are not audited, so that the lists are still the same.
        assert.equal(rows.length, json.body.pagination.total, `${address} as CSV`);
        assert.equal((sheet?.rowCount ?? 0) - 1, rows.length, `${address} as Excel`);
        if (rows[0] !== undefined) assert.deepEqual(Object.keys(rows[0]), texts, address);
      }
    });
  });
});
