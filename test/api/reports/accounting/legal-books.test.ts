/** The books for the commercial register over HTTP (decision 0372). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import ExcelJS from 'exceljs';
import { openZip, zipEntries } from '../../../../services/platform/files/zip.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfPages } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';
import { openReports } from '../golden-quarter.ts';

interface Manifest {
  readonly [member: string]: unknown;
  readonly books: {
    readonly kind: string;
    readonly number: number;
    readonly lines?: number;
    readonly files: { name: string; format: string; part: number; parts: number; bytes: number; sha256: string }[];
  }[];
}

const HOSTILE = '../..\\<b>"Ñandú" & 測試\u202E, S.L.';
/** Lines of an entry, and entries, which make more lines than a PDF has rows. */
const [LINES, ENTRIES] = [1000, 6];

describe('the books for the commercial register', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const books = use(() => openReports(app));

  const archive = async (params: object) => {
    const order = { format: 'zip', notify: false, ...params };
    const started = await app.client.post('/api/reports/legal-books/generate', order);
    assert.equal(started.status, 202, JSON.stringify(started.body));
    const task = await eventually(async () => {
      const { data } = (await app.client.get(`/api/tasks/${started.body.task_id}`)).body;
      assert.ok(data.completed_at);
      return data;
    }, 90_000);
    assert.equal(task.status, 'completed', task.error);
    return await opened(await fetch(app.address + task.result_url));
  };

  before(async () => {
    const { body } = await app.client.get('/api/company');
    const named = { ...body, name: HOSTILE, taxId: 'B12345674' };
    assert.equal((await app.client.put('/api/company', named)).status, 200);
    for (const year of [2023, 2024, 2025]) await books.make('/api/periods/generate', { year });
    await books.entry('2023-05-01', { '572': 1000, '100': -1000 });
    await books.make('/api/fiscal-years/2023/close');
    const lines = Array.from({ length: LINES }, (_, index) => {
      const side = index % 2 === 0 ? { code: '572', debit: 0.1 } : { code: '705', credit: 0.1 };
      const { code, ...amounts } = side;
      return { accountId: books.account(code), ...amounts, description: `<i>Línea ${index}</i>` };
    });
    for (let month = 1; month <= ENTRIES; month++)
      await books.make('/api/journal-entries', { date: `2024-0${month}-15`, lines, post: true });
    await books.make('/api/fiscal-years/2024/close');
    await books.entry('2025-05-01', { '572': 50, '705': -50 });
  });

  it('are listed with their numbers and the last day to present them', async () => {
    const { data, summary, warnings } = await books.report('legal-books', 'year=2024&inventories_number=9');
    const { rows, ...year } = data as { rows: { kind: string; number: number; lines: number; drilldown: string }[] };
    assert.deepEqual(year, { year: 2024, closed: true, present_by: '2025-04-30' });
    // With the two entries of the close.
    const lines = (summary as { lines: number }).lines;
    assert.ok(lines > LINES * ENTRIES, `${lines}`);
    assert.deepEqual(
      rows.map(({ kind, number, lines: counted }) => [kind, number, counted]),
      [
        ['journal', 2, lines],
        ['inventories-and-accounts', 9, null],
      ],
    );
    assert.deepEqual(warnings, []);
    for (const { drilldown } of rows) assert.equal((await app.client.get(drilldown)).status, 200, drilldown);
  });

  it('come as an archive whose manifest has the hash of each file', async () => {
    const { name, files } = await archive({ year: 2024 });
    assert.equal(name, 'B12345674-2024-libros.zip');
    assert.deepEqual(
      [...files.keys()],
      [
        'B12345674-2024-diario-1-de-2.pdf',
        'B12345674-2024-diario-2-de-2.pdf',
        'B12345674-2024-diario.xlsx',
        'B12345674-2024-inventarios-y-cuentas-anuales.pdf',
        'B12345674-2024-inventarios-y-cuentas-anuales.xlsx',
        'manifest.json',
        'SHA256SUMS',
      ],
    );
    const { books: listed, made_at: madeAt, ...manifest } = readManifest(files);
    assert.ok(!Number.isNaN(Date.parse(String(madeAt))));
    assert.deepEqual(manifest, {
      company: HOSTILE,
      tax_id: 'B12345674',
      ...{ year: 2024, from: '2024-01-01', to: '2024-12-31' },
      ...{ provisional: false, present_by: '2025-04-30', hash: 'SHA-256' },
    });
    const all = listed.flatMap(({ files: written }) => written);
    assert.equal(all.length, 5);
    const sums = all.map(({ name: file, sha256 }) => `${sha256}  ${file}\n`).join('');
    assert.equal(files.get('SHA256SUMS')?.toString(), sums);
    for (const { name: file, bytes, sha256 } of all) {
      const content = files.get(file) as Buffer;
      assert.deepEqual([bytes, sha256], [content.length, createHash('sha256').update(content).digest('hex')], file);
    }
  });

  it('print a long journal in parts that carry its sums, and have it whole in the workbook', async () => {
    const { files } = await archive({ year: 2024 });
    const [first, second] = await Promise.all(
      [1, 2].map((part) => pdfPages(files.get(`B12345674-2024-diario-${part}-de-2.pdf`) as Buffer)),
    );
    assert.match(first?.[0] ?? '', /Libro diario[\s\S]*01\/01\/2024 – 31\/12\/2024 · parte 1/);
    assert.match(first?.[0] ?? '', /<i>Línea 0<\/i>/);
    // Two lines of 1,000 with which the year opens; half of the others are debits of 0.10.
    assert.match(first?.at(-1) ?? '', /Suma y sigue\s+1\.249,90\s+1\.249,90/);
    assert.match(second?.[0] ?? '', /parte 2 y última[\s\S]*Suma anterior\s+1\.249,90\s+1\.249,90/);
    const [journal] = readManifest(files).books;
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(files.get('B12345674-2024-diario.xlsx') as never);
    // A header and the totals.
    assert.equal(workbook.worksheets[0]?.rowCount, (journal?.lines ?? 0) + 2);
  });

  it('are provisional while the year is open, which each of them says', async () => {
    const { name, files } = await archive({ year: 2025, only: 'pdf', journal_number: 7 });
    assert.equal(name, 'B12345674-2025-libros-provisional.zip');
    const { provisional, books: listed } = readManifest(files);
    assert.deepEqual(
      [provisional, listed.map(({ number, files: { length } }) => [number, length])],
      [
        true,
        [
          [7, 1],
          [3, 1],
        ],
      ],
    );
    for (const [file, content] of files) {
      if (!file.endsWith('.pdf')) continue;
      const [page = ''] = await pdfPages(content);
      assert.match(page, /El ejercicio 2025 no está cerrado/, file);
      assert.doesNotMatch(page, /parte 1/);
    }
  });

  it('answer a request, and refuse what they cannot be', async () => {
    const response = await download(app, '/api/reports/legal-books?format=zip&year=2025&only=excel');
    assert.equal(response.headers.get('Content-Type'), 'application/zip');
    assert.deepEqual([...(await opened(response)).files.keys()].length, 4);
    const long = await app.client.get('/api/reports/journal?format=pdf&from=2024-01-01&to=2024-12-31');
    assertProblem(long, 400, 'invalid_parameter');
    assert.match(long.body.detail, /csv, excel or the zip of legal-books, which has it in parts/);
    for (const query of ['format=aeat', 'only=csv', 'journal_number=0', 'year=12'])
      assertProblem(await app.client.get(`/api/reports/legal-books?${query}`), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/reports/journal?format=zip'), 400, 'invalid_parameter');
  });
});

/** The files of an archive by their names, in their order. */
async function opened(response: Response): Promise<{ name: string | undefined; files: Map<string, Buffer> }> {
  assert.equal(response.status, 200);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  const zip = await openZip(Buffer.from(await response.arrayBuffer()));
  const open = promisify(zip.openReadStream.bind(zip)) as (entry: object) => Promise<NodeJS.ReadableStream>;
  const files = new Map<string, Buffer>();
  for await (const entry of zipEntries(zip)) files.set(entry.fileName, await buffer((await open(entry)) as never));
  return { name, files };
}

function readManifest(files: ReadonlyMap<string, Buffer>): Manifest {
  return JSON.parse(files.get('manifest.json')?.toString() ?? '');
}
