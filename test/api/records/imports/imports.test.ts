import assert from 'node:assert/strict';
import { RESOURCES } from '../../../../services/records/master-data/index.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { daysFromToday } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { EXCEL, withStyles, workbook, zip } from '../../../helpers/xlsx.ts';

type Row = Record<string, unknown>;

describe('imports', function () {
  this.timeout(60_000);
  let groupId: string;

  const app = useApp();
  before(async () => {
    groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
  });

  /** Sends a file as it is. */
  async function send(
    path: string,
    content: string | Uint8Array | FormData,
    headers: Record<string, string> = {},
    token = app.token,
  ): Promise<Answer> {
    const form = content instanceof FormData;
    const response = await fetch(`${app.address}/api/import/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...(form ? {} : { 'Content-Type': 'text/csv' }), ...headers },
      body: content as string | FormData,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  const excel = { 'Content-Type': EXCEL };
  const list = async (path: string, client: TestClient = app.client) =>
    (await client.get(`/api/${path}`)).body.data as Row[];
  const one = async (path: string) => {
    const rows = await list(path);
    assert.equal(rows.length, 1, path);
    return rows[0] as Row;
  };

  describe('creating', () => {
    it('takes names and codes of references, by the same rules and defaults as the API', async () => {
      const answer = await send(
        'partners?mode=create',
        'Name;NIF;group_id;Payment Term Days;creditLimit;active\nAna Ruiz;12345678z;CLI;30;1.234,50;sí\n"Bar ""El Sol""";;CLI;;;\n',
      );
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { data: { rows: 2, created: 2, updated: 0, unchanged: 0, errors: [] } }],
      );
      const ana = await one('partners?nif=12345678Z');
      assert.deepEqual(
        {
          name: ana.name,
          groupId: ana.groupId,
          paymentTermDays: ana.paymentTermDays,
          creditLimit: ana.creditLimit,
          active: ana.active,
          countryCode: ana.countryCode,
        },
        { name: 'Ana Ruiz', groupId, paymentTermDays: 30, creditLimit: 1234.5, active: true, countryCode: 'ES' },
      );
      assert.match(String(ana.code), /^CLI\d{5}$/);
      const bar = await one('partners?name=Bar%20"El%20Sol"');
      assert.deepEqual(
        { nif: bar.nif, paymentTermDays: bar.paymentTermDays, creditLimit: bar.creditLimit, active: bar.active },
        { nif: null, paymentTermDays: 0, creditLimit: null, active: true },
      );
      const audit = await list(`audit-logs?entityId=${ana.id}`);
      assert.deepEqual(
        { auditLength: audit.length, action: audit[0]?.action, userId: audit[0]?.userId },
        { auditLength: 1, action: 'CREATE', userId: app.userId },
      );
    });

    it('takes of taxes with one code the one that holds on the day of the company', async () => {
      const ids: string[] = [];
      for (const [rate, days] of [
        [19, -1],
        [20, 0],
        [22, 1],
      ] as const) {
        const tax = { code: 'ONE', name: 'One', rate, validFrom: daysFromToday(days) };
        ids.push((await app.client.post('/api/taxes', tax)).body.data.id);
      }
      const { body } = await send('items?mode=create', 'code;name;uom;salesTaxGroupId\nT-1;Taxed;UD;ONE\n');
      assert.deepEqual(body.data.errors, []);
      assert.equal((await one('items?code=T-1')).salesTaxGroupId, ids[1]);
    });

    it('takes Excel, with its own numbers and truth values', async () => {
      const content = await workbook([
        ['code', 'name', 'uom', 'salePrice', 'active', 'type'],
        [4711, 'Tuerca', 'UD', 0.15, false, 'product'],
        ['S-1', 'Montaje', 'UD', 30, true, 'service'],
      ]);
      await send('items', 'code;name;uom;description\nF-1;=1+1;UD;"two\nlines, ""and"" more"\n');
      const answer = await send('items?mode=create', content, excel);
      assert.deepEqual(answer.body, { data: { rows: 2, created: 2, updated: 0, unchanged: 0, errors: [] } });
      const nut = await one('items?code=4711');
      assert.deepEqual(
        { salePrice: nut.salePrice, active: nut.active, stockTracked: nut.stockTracked },
        { salePrice: 0.15, active: false, stockTracked: true },
      );
    });

    it('lets a row refer to one above it', async () => {
      const answer = await send('categories', 'code;name;parent\nR;Raíz;\nR1;Rama;R\nR11;Hoja;R1\n');
      assert.deepEqual(answer.body, { data: { rows: 3, created: 3, updated: 0, unchanged: 0, errors: [] } });
      assert.equal((await one('categories?code=R11')).depth, 2);
      const wrong = await send('categories', 'code;name;parent\nQ1;Antes;Q\nQ;Después;\n');
      assert.deepEqual(wrong.body.errors, [
        { line: 2, column: 'parent', code: 'invalid_reference', message: 'no record has the code Q' },
      ]);
    });
  });

  describe('all or nothing', () => {
    const bad =
      'code;name;groupId;email;paymentTermDays;nif\nN1;Uno;CLI;;;\nN2;;CLI;no ' +
      'mail;x;\nN3;Tres;NONE;;;\nN4;Cuatro;CLI;;;12345678A\nN5;Cinco;CLI;;;\nN1;Otra;CLI;;;\nN6;Seis;CLI\n';
    const faults = [
      [3, 'paymentTermDays', 'invalid_type'],
      [4, 'groupId', 'invalid_reference'],
      [5, 'nif', 'invalid_format'],
      [7, 'code', 'duplicate'],
      [8, null, 'too_few_cells'],
    ];
    const told = ({ body }: Answer) =>
      (body.errors ?? body.data.errors).map((fault: Row) => [fault.line, fault.column, fault.code]);

    it('refuses a file with bad rows, tells each of them and keeps none', async () => {
      const answer = await send('partners?mode=create', bad);
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(told(answer), faults);
      for (const fault of answer.body.errors)
        assert.deepEqual(Object.keys(fault), ['line', 'column', 'code', 'message']);
      assert.deepEqual(await list('partners?code[in]=N1,N2,N3,N4,N5,N6'), []);
    });

    it('a trial tells the same and keeps nothing', async () => {
      const answer = await send('partners?mode=create&dry_run=true&partial=true', bad);
      assert.equal(answer.status, 200);
      const { rows, created, updated } = answer.body.data;
      assert.deepEqual({ rows, created, updated }, { rows: 7, created: 2, updated: 0 });
      assert.deepEqual(told(answer), faults);
      const good = await send('partners?dry_run=true', 'code;name;groupId\nN1;Uno;CLI\n');
      assert.deepEqual(good.body, { data: { rows: 1, created: 1, updated: 0, unchanged: 0, errors: [] } });
      assert.deepEqual(await list('partners?code[in]=N1,N5'), []);
    });

    it('partial=true keeps the good rows', async () => {
      const answer = await send('partners?mode=create&partial=true', bad);
      assert.equal(answer.status, 200);
      assert.deepEqual([answer.body.data.created, told(answer)], [2, faults]);
      assert.deepEqual(
        (await list('partners?code[in]=N1,N2,N3,N4,N5,N6')).map(({ code }) => code),
        ['N1', 'N5'],
      );
    });

    it('gives back the numbers of codes that rows of a refused file had taken', async () => {
      const before = (await app.client.post('/api/partners', { name: 'Antes', groupId })).body.data.code as string;
      assert.equal((await send('partners', 'name;groupId\nX;CLI\nY;CLI\n;CLI\n')).status, 422);
      const after = (await app.client.post('/api/partners', { name: 'Después', groupId })).body.data.code as string;
      assert.equal(Number(after.slice(3)), Number(before.slice(3)) + 1);
    });
  });

  describe('changing', () => {
    it('finds records by id or code, clears what may be empty and keeps what may not', async () => {
      await send(
        'partners',
        'code;name;groupId;phone;paymentTermDays;website\nU1;Uno;CLI;600;15;w\nU2;Dos;CLI;700;;\n',
      );
      const [first] = await list('partners?code=U1');
      const answer = await send(
        'partners?mode=update',
        `id;code;name;phone;paymentTermDays;version\n${first?.id};U1b;Uno b;;;99\n;U2;Dos;700;20;x\n`,
      );
      assert.deepEqual(answer.body, { data: { rows: 2, created: 0, updated: 2, unchanged: 0, errors: [] } });
      const changed = await one(`partners?id=${first?.id}`);
      assert.deepEqual(
        {
          code: changed.code,
          name: changed.name,
          phone: changed.phone,
          paymentTermDays: changed.paymentTermDays,
          website: changed.website,
          version: changed.version,
        },
        { code: 'U1b', name: 'Uno b', phone: null, paymentTermDays: 15, website: 'w', version: 2 },
      );
      assert.equal((await one('partners?code=U2')).paymentTermDays, 20);
    });

    it('counts what is as the file says, and writes nothing of it', async () => {
      await app.client.post('/api/custom-fields', {
        ...{
          table_name: 'BusinessPartner',
          field_name: 'tags',
          label: 'Tags',
          type: 'MULTISELECT',
          options: ['a', 'b'],
        },
      });
      const file = 'code;name;groupId;paymentTermDays;withholdingRate;custom_tags\n';
      await send('partners', `${file}Z1;Uno;CLI;15;15;a|b\nZ2;Dos;CLI;30;;\nZ3;Tres;CLI;;1,5;b\n`);
      const traces = async () =>
        (await app.client.get('/api/audit-logs?entityType=BusinessPartner')).body.pagination.total as number;
      const before = [await list('partners?code[in]=Z1,Z2,Z3'), await traces()];
      const again = await send(
        'partners?mode=upsert',
        `${file}Z1;Uno;CLI;15;15,00;a|b\nZ2;Dos;CLI;30;;\nZ3;Tres;CLI;;1,5;b\n`,
      );
      assert.deepEqual(again.body, { data: { rows: 3, created: 0, updated: 0, unchanged: 3, errors: [] } });
      assert.deepEqual([await list('partners?code[in]=Z1,Z2,Z3'), await traces()], before);
      const mixed = await send('partners?mode=upsert', 'code;name;groupId\nZ1;Uno b;CLI\nZ2;Dos;CLI\nZ4;Cuatro;CLI\n');
      assert.deepEqual(mixed.body, { data: { rows: 3, created: 1, updated: 1, unchanged: 1, errors: [] } });
      const partial = await send(
        'partners?mode=upsert&partial=true',
        'code;name;groupId\nZ1;Uno b;CLI\nZ2;Dos b;CLI\nZ5;;CLI\n',
      );
      assert.deepEqual(
        {
          updated: partial.body.data.updated,
          unchanged: partial.body.data.unchanged,
          errors: partial.body.data.errors.length,
        },
        { updated: 1, unchanged: 1, errors: 1 },
      );
    });

    it('tells what cannot be found, changed or told apart', async () => {
      const unknown = '0190f5fe-7c00-7a00-8abc-012345678901';
      const answer = await send('partners?mode=update&dry_run=true', `id;code;name\n${unknown};;X\n;NADIE;X\n;U2;\n`);
      assert.deepEqual(
        answer.body.data.errors.map((fault: Row) => ({ line: fault.line, column: fault.column, code: fault.code })),
        [
          { line: 2, column: 'id', code: 'not_found' },
          { line: 3, column: 'code', code: 'not_found' },
          { line: 4, column: 'name', code: 'required' },
        ],
      );
      const again = await send('partners?mode=create&dry_run=true', 'code;name;groupId\nU2;X;CLI\n');
      assert.deepEqual(again.body.data.errors, [
        { line: 2, column: 'code', code: 'duplicate', message: 'exists already' },
      ]);
      const series = (await list('series?docType=SO'))[0] as Row;
      const fixed = await send('series?mode=update', `id;docType;name\n${series.id};PO;X\n`);
      assert.deepEqual(fixed.body.errors, [
        { line: 2, column: 'docType', code: 'read_only', message: 'cannot be changed any more' },
      ]);
      const taken = await send('partners?mode=update', 'code;nif\nU2;12345678Z\n');
      assert.deepEqual(
        { status: taken.status, column: taken.body.errors[0].column, code: taken.body.errors[0].code },
        { status: 422, column: 'nif', code: 'duplicate' },
      );
    });

    it('upsert does both; a warehouse tells its zones from those of others', async () => {
      await send('warehouses', 'code;name\nW1;Norte\nW2;Sur\n');
      await send('zones', 'warehouse;code;name\nW1;A;uno\nW2;A;dos\n');
      const answer = await send('zones?mode=upsert', 'warehouse;code;name\nW2;A;dos b\nW2;B;tres\n');
      assert.deepEqual(answer.body, { data: { rows: 2, created: 1, updated: 1, unchanged: 0, errors: [] } });
      const names = (await list('zones?code[in]=A,B&sort=name')).map(({ name }) => name);
      assert.deepEqual(names, ['dos b', 'tres', 'uno']);
      const unclear = await send('zones?mode=update', 'code;name\nA;x\n');
      assert.deepEqual(unclear.body.errors[0].code, 'missing_column');
    });
  });

  describe('files', () => {
    const codes = ({ body }: Answer) => body.errors.map((fault: Row) => [fault.line, fault.column, fault.code]);

    it('must have the columns of the resource', async () => {
      assert.deepEqual(codes(await send('partners', 'name;colour;Name;groupId\n')), [
        [1, 'colour', 'unknown_column'],
        [1, 'Name', 'duplicate_column'],
      ]);
      assert.deepEqual(codes(await send('partners', 'code;phone\nA;1\n')), [
        [1, 'name', 'missing_column'],
        [1, 'groupId', 'missing_column'],
      ]);
      assert.deepEqual(codes(await send('partners?mode=update', 'name\nA\n')), [[1, 'code', 'missing_column']]);
      const trial = await send('partners?dry_run=true', 'name;colour;groupId\n');
      assert.deepEqual([trial.status, trial.body.data.errors[0].code], [200, 'unknown_column']);
    });

    it('must be readable', async () => {
      assert.deepEqual(codes(await send('partners', '')), [[1, null, 'missing_header']]);
      const latin = Buffer.from('name;groupId\nLogroño;CLI\n', 'latin1');
      assert.deepEqual(codes(await send('partners', latin)), [[2, null, 'invalid_encoding']]);
      assert.deepEqual(codes(await send('partners', 'name;groupId\n', excel)), [[1, null, 'invalid_excel']]);
      const bomb = zip([{ name: 'xl/workbook.xml', content: Buffer.alloc(40 * 1024 * 1024) }]);
      assert.deepEqual(codes(await send('partners', bomb, excel)), [[1, null, 'zip_bomb']]);
      const many = `name;groupId\n${'A;CLI\n'.repeat(100_001)}`;
      assert.deepEqual(codes(await send('partners', many)), [[100_002, null, 'too_many_rows']]);
      const nul = await send('partners', `name;groupId\n${'A'.repeat(70_000)};CLI\nB\u0000;CLI\n`);
      assert.deepEqual(codes(nul)[1], [3, 'name', 'invalid_text']);
    });

    it('cells that stand for nothing are told row by row', async () => {
      const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>';
      const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
      const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
      const sheet = [
        row(...['code', 'name', 'from', 'to'].map(text)),
        row(text('NUL&#0;'), text('x'), text('2031-01-01'), text('2031-01-31')),
        row(text('HALF_xD800_'), text('x'), text('2031-01-01'), text('2031-01-31')),
        row('<c><v>1e999</v></c>', text('x'), text('2031-01-01'), text('2031-01-31')),
        row(text('FAR'), '<c><v>99999999999</v></c>', '<c><v>-99999999999</v></c>', text('2031-01-31')),
      ];
      const content = zip(withStyles(`<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`, styles));
      assert.deepEqual(codes(await send('periods', content, excel)), [
        [2, 'code', 'invalid_text'],
        [3, 'code', 'invalid_text'],
        [4, 'code', 'invalid_type'],
        [5, 'name', 'invalid_type'],
        [5, 'from', 'invalid_type'],
      ]);
    });

    it('come raw or as the part "file" of a form', async () => {
      const form = (
        name: string,
        type: string,
        content: string | Uint8Array = 'code;name\nF1;Forma\n',
        part = 'file',
      ) => {
        const data = new FormData();
        data.set(part, new File([content as string], name, { type }));
        return data;
      };
      // Windows knows CSV by the program that opens it.
      const answer = await send('warehouses?dry_run=true', form('a.csv', 'application/vnd.ms-excel'));
      assert.deepEqual(answer.body, { data: { rows: 1, created: 1, updated: 0, unchanged: 0, errors: [] } });
      const sheet = await workbook([
        ['code', 'name'],
        ['F1', 'Forma'],
      ]);
      assert.equal((await send('warehouses?dry_run=true', form('a.XLSX', '', sheet))).body.data.created, 1);
      assertProblem(await send('warehouses', form('a.pdf', 'application/pdf')), 415, 'unsupported_media_type');
      const other = await send('warehouses', form('a.csv', 'text/csv', 'x', 'upload'));
      assertProblem(other, 422, 'validation_failed');
      assert.equal(other.body.errors[0].pointer, '/file');
      const broken = await send('warehouses', 'no form', { 'Content-Type': 'multipart/form-data; boundary=x' });
      assertProblem(broken, 400, 'bad_request');
    });

    it('of other types and sizes are refused', async () => {
      assertProblem(
        await send('partners', '{}', { 'Content-Type': 'application/json' }),
        415,
        'unsupported_media_type',
      );
      const latin = { 'Content-Type': 'text/csv; charset=iso-8859-1' };
      assertProblem(await send('partners', 'name\n', latin), 415, 'unsupported_media_type');
      const large = new Uint8Array(20 * 1024 * 1024 + 1);
      assertProblem(await send('partners', large), 413, 'body_too_large');
    });
  });

  describe('custom fields', () => {
    it('are columns by name or label, checked and filled like the others', async () => {
      const field = (field_name: string, type: string, more: Row = {}) =>
        app.client.post('/api/custom-fields', {
          table_name: 'BusinessPartner',
          field_name,
          label: `El ${field_name}`,
          type,
          ...more,
        });
      assert.equal((await field('margen', 'DECIMAL')).status, 201);
      assert.equal((await field('desde', 'DATE')).status, 201);
      assert.equal((await field('clase', 'SELECT', { options: ['A', 'B'], default_value: 'B' })).status, 201);
      const answer = await send(
        'partners',
        'code;name;groupId;El margen;custom_desde;El clase\nK1;Uno;CLI;12,5;31/12/2025;A\nK2;Dos;CLI;;;\n',
      );
      assert.deepEqual(answer.body, { data: { rows: 2, created: 2, updated: 0, unchanged: 0, errors: [] } });
      const [one, two] = await list('partners?code[in]=K1,K2&sort=code');
      assert.deepEqual(
        { custom_margen: one?.custom_margen, custom_desde: one?.custom_desde, custom_clase: one?.custom_clase },
        { custom_margen: 12.5, custom_desde: '2025-12-31', custom_clase: 'A' },
      );
      assert.deepEqual(
        { custom_margen: two?.custom_margen, custom_desde: two?.custom_desde, custom_clase: two?.custom_clase },
        { custom_margen: null, custom_desde: null, custom_clase: 'B' },
      );
      const bad = await send('partners?mode=update', 'code;El clase;El margen\nK1;C;1\n');
      assert.deepEqual([bad.body.errors[0].column, bad.body.errors[0].code], ['El clase', 'invalid_choice']);
    });

    it('with similar names or the same label are told apart, or not guessed', async () => {
      const field = (field_name: string, label: string) =>
        app.client.post('/api/custom-fields', { table_name: 'Warehouse', field_name, label, type: 'TEXT' });
      for (const [name, label] of [
        ['a1', 'Nota'],
        ['a_1', 'nota'],
        ['b_2', 'Name'],
      ] as const) {
        assert.equal((await field(name, label)).status, 201);
      }
      const answer = await send('warehouses', 'code;name;custom_a_1;custom_a1;Custom B2\nSIM;Uno;x;y;z\n');
      assert.deepEqual(answer.body, { data: { rows: 1, created: 1, updated: 0, unchanged: 0, errors: [] } });
      const made = await one('warehouses?code=SIM');
      assert.deepEqual(
        { name: made.name, custom_a1: made.custom_a1, custom_a_1: made.custom_a_1, custom_b_2: made.custom_b_2 },
        { name: 'Uno', custom_a1: 'y', custom_a_1: 'x', custom_b_2: 'z' },
      );
      const labelled = await send('warehouses?mode=update', 'code;Nota;NAME\nSIM;x;Dos\n');
      assert.equal(labelled.status, 422);
      assert.deepEqual([labelled.body.errors[0].column, labelled.body.errors[0].code], ['Nota', 'ambiguous_column']);
    });
  });

  describe('an export', () => {
    it('of every resource comes back as it is, by its labels', async () => {
      await app.client.put('/api/config/format', {});
      await app.client.post('/api/config/bank-accounts', { name: 'Bank', iban: 'ES9121000418450200051332' });
      const lines = [{ percent: 33.3333, days: 30, endOfMonth: true }, { days: 60 }];
      assert.equal((await app.client.post('/api/payment-terms', { code: '30/60', name: '=30/60', lines })).status, 201);
      const found: unknown[] = [];
      const expected: unknown[] = [];
      for (const { path, parent } of RESOURCES) {
        if (parent !== undefined) continue;
        const resource = path.split('/').at(-1) as string;
        const { total } = (await app.client.get(`${path}?limit=1`)).body.pagination;
        if (total > 500) continue; // a task would import it
        const exported = await fetch(`${app.address}${path}?format=csv`, {
          headers: { Authorization: `Bearer ${app.token}` },
        });
        const answer = await send(`${resource}?mode=update`, new Uint8Array(await exported.arrayBuffer()));
        found.push([resource, answer.status, answer.body.data ?? answer.body.errors]);
        expected.push([resource, 200, { rows: total, created: 0, updated: 0, unchanged: total, errors: [] }]);
      }
      assert.deepEqual(found, expected);
    });

    for (const locale of ['es-ES', 'en-US']) {
      for (const format of ['csv', 'excel']) {
        for (const resource of ['partners', 'items', 'projects']) {
          it(`of ${resource} as ${format} in ${locale} comes back and changes nothing`, async () => {
            const dateFormat = locale === 'es-ES' ? 'dd/MM/yyyy' : 'MM/dd/yyyy';
            assert.equal((await app.client.put('/api/config/format', { locale, dateFormat })).status, 200);
            const odd = { code: 'ODD', name: 'a\u0001b_x0041_\r\nc' };
            assert.ok([201, 409].includes((await app.client.post('/api/projects', odd)).status));
            const before = await list(`${resource}?limit=500&sort=code`);
            assert.ok(before.length > 0, 'nothing to export');
            const exported = await fetch(`${app.address}/api/${resource}?format=${format}`, {
              headers: { Authorization: `Bearer ${app.token}` },
            });
            const content = new Uint8Array(await exported.arrayBuffer());
            const type = { 'Content-Type': (exported.headers.get('content-type') ?? '').split(';')[0] as string };
            for (const mode of ['update', 'upsert']) {
              const answer = await send(`${resource}?mode=${mode}`, content, type);
              assert.deepEqual(answer.body, {
                data: { rows: before.length, created: 0, updated: 0, unchanged: before.length, errors: [] },
              });
            }
            assert.deepEqual(await list(`${resource}?limit=500&sort=code`), before);
          });
        }
      }
    }
  });

  it('knows the resources, the modes and what each needs', async () => {
    assertProblem(await send('nothing', 'a\n'), 404, 'not_found');
    assertProblem(await send('addresses', 'a\n'), 404, 'not_found');
    assertProblem(await send('partners?mode=replace', 'a\n'), 400, 'invalid_parameter');
    assertProblem(await send('partners?dry_run=perhaps', 'a\n'), 400, 'invalid_parameter');
    assertProblem(await send('partners', 'a\n', {}, 'nonsense'), 401, 'invalid_token');
    for (const { path, parent } of RESOURCES) {
      if (parent !== undefined) continue;
      const answer = await send(`${path.split('/').at(-1)}?mode=upsert`, 'no_such_column\n');
      assert.equal(answer.body.errors?.[0]?.code, 'unknown_column', path);
    }
    const user = { email: 'ware@example.test', name: 'Wanda', password: 'wanda works at the dock', role: 'warehouse' };
    await app.client.post('/api/users', user);
    const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    const refused = await send('partners?mode=update', 'id;name\n', {}, body.token);
    assertProblem(refused, 403, 'forbidden');
    assert.match(refused.body.detail, /partners:update/);
    assert.equal((await send('zones?dry_run=true', 'warehouseId;code\nW1;Z9\n', {}, body.token)).status, 200);
  });

  it('a key makes a repeat harmless', async () => {
    const key = { 'Idempotency-Key': 'import-1' };
    const first = await send('uom', 'code;name\nIK;Uno\n', key);
    assert.equal(first.body.data.created, 1);
    const again = await send('uom', 'code;name\nIK;Uno\n', key);
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first.body, 'true']);
    assertProblem(await send('uom', 'code;name\nIK;Dos\n', key), 422, 'idempotency_key_reused');
    const refused = { 'Idempotency-Key': 'import-2' };
    for (let time = 1; time <= 2; time++) {
      const answer = await send('uom', 'code;name\nIK;Uno\n', refused);
      assert.deepEqual(
        { status: answer.status, code: answer.body.code, line: answer.body.errors[0].line },
        { status: 422, code: 'validation_failed', line: 2 },
      );
    }
  });

  it('more than 500 rows become a task that keeps the file', async () => {
    const rows = `code;name\n${Array.from({ length: 501 }, (_, index) => `B${index};x\n`).join('')}`;
    const answer = await send('uom?mode=upsert&partial=true', rows);
    assert.equal(answer.status, 202);
    const { task_id: id, status, message } = answer.body;
    assert.deepEqual([status, message], ['waiting', 'Waiting to import uom']);
    assert.equal(answer.headers.get('location'), `/api/tasks/${id}`);
    assert.equal((await app.client.get(`/api/tasks/${id}`)).body.data.type, 'sync');
    assert.equal((await app.client.del(`/api/tasks/${id}`)).status, 204);
    const exactly = rows.split('\n').slice(0, 501).join('\n');
    assert.equal((await send('uom', exactly)).body.data.created, 500);
  });
});
