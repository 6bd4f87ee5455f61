import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { Type } from 'typebox';
import type { Section } from '../../../../domain/reports/engine/sections.ts';
import { amount, integer, quantity, text, uuid } from '../../../../services/platform/validation/schemas.ts';
import { openReport, writeReportCsv, writeReportExcel } from '../../../../services/reports/engine/content.ts';
import { cursor } from '../../../../services/reports/engine/cursor.ts';
import { defineReport, percent, RANGE, type Report } from '../../../../services/reports/engine/declaration.ts';
import { PAGINATION, pagination } from '../../../../services/reports/engine/paging.ts';
import { SECTIONS, sectionTable } from '../../../../services/reports/engine/sections.ts';
import { rowCells } from '../../../helpers/download.ts';
import { inherited } from '../../../helpers/environment.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const title = { en: 'Test', es: 'Prueba' };
const shared = { title, area: 'accounting', parameters: RANGE } as const;

const ROW = Type.Object({
  partner_id: uuid(),
  name: text(),
  quantity: quantity(),
  amount: amount(),
  share: percent(),
  drilldown: text(),
});

/** Two rows whose shares do not add up to their total, which is an average. */
const simple = defineReport({
  ...shared,
  name: 'simple',
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object({ quantity: quantity(), amount: amount(), share: percent() }),
  async read() {
    const partner_id = '00000000-0000-7000-8000-000000000000';
    const of = (name: string, quantity: number, amount: number, share: number) => {
      return { partner_id, name, quantity, amount, share, drilldown: '/api/x' };
    };
    const rows = [of('=1+1', 1.5, 0.1, 10.5), of('Ñandú; "S.A."', 2, 1234.2, 20)];
    return { data: { rows }, summary: { quantity: 3.5, amount: 1234.3, share: 15.25 } };
  },
});

/** A) 30 = A.I 10 + A.II 20; B) 7 has a child of 5, so that nothing adds up to it. */
const nested = defineReport({
  ...shared,
  name: 'nested',
  data: Type.Object({ sections: SECTIONS }),
  summary: Type.Object({ amount: amount() }),
  async read() {
    const of = (code: string, amount: number, children: readonly Section[] = []): Section => {
      return { code, name: `Epígrafe ${code}`, amount, previous: 0, children };
    };
    const sections = [of('A', 30, [of('A.I', 10), of('A.II', 20)]), of('B', 7, [of('B.I', 5)])];
    return { data: { sections }, summary: { amount: 37 } };
  },
  file: ({ data }) => ({ tables: [sectionTable({ sections: data.sections })] }),
});

const form = defineReport({
  ...shared,
  name: 'tax/form',
  data: Type.Object({ boxes: Type.Record(Type.String(), amount()) }),
  summary: Type.Object({}),
  read: async () => ({ data: { boxes: { '01': 100, '03': 21 } }, summary: {} }),
  file: ({ data: { boxes } }) => {
    const box = (number: string, kind: 'amount' | 'percent' = 'amount') => ({
      number,
      value: boxes[number] ?? 21,
      kind,
    });
    const lines = [{ label: 'Régimen general', boxes: [box('01'), box('02', 'percent'), box('03')] }];
    return { tables: [], forms: [{ title: 'Modelo', groups: [{ title: 'Devengado', lines }] }] };
  },
});

const ROWS = 200_000;
/** A report as long as the journal of several years. */
const long = defineReport({
  ...shared,
  name: 'long',
  paged: true,
  data: Type.Object({
    rows: Type.Array(Type.Object({ number: integer(), description: text(), debit: amount() })),
    pagination: PAGINATION,
  }),
  summary: Type.Object({ debit: amount() }),
  async read({ page }) {
    return { data: { rows: [], pagination: pagination(page, ROWS) }, summary: { debit: ROWS * 1.25 } };
  },
  stream: ({ reader }) =>
    cursor<{ number: number; description: string; debit: number }>(
      reader,
      `select n as number, 'Asiento ' || n as description, 1.25::float8 as debit from generate_series(1, :rows::int) n`,
      { rows: ROWS },
    ),
});

/** Writes as many rows in a process of its own, and tells its size and how much memory the process had at most. */
const LARGE_WORKBOOK = `
  import { Writable } from 'node:stream';
  const { writeExcel } = await import(${JSON.stringify(new URL('../../../../services/records/exports/excel.ts', import.meta.url).href)});
  const column = (name, kind) =>
    ({ name, title: name, path: [name], isId: false, kind, measure: 'amount', places: 2 });
  async function* rows() {
    for (let from = 0; from < ${ROWS}; from += 500) {
      yield Array.from({ length: 500 }, (_, n) => ({ description: 'Asiento ' + (from + n), debit: 1.25, credit: 0 }));
    }
  }
  let bytes = 0;
  let most = 0;
  // Not the maximum that the system tells, which begins with the memory of the process that has started this one.
  const measure = () => { most = Math.max(most, process.memoryUsage.rss()); };
  const output = new Writable({ write(chunk, _, done) { bytes += chunk.length; measure(); done(); } });
  const columns = [column('description', 'text'), column('debit', 'number'), column('credit', 'number')];
  const format = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2, timezone: 'UTC' };
  await writeExcel({ title: 'x', columns, rows: rows(), format, now: new Date(0), totals: { debit: 250000 } }, output);
  console.log(JSON.stringify({ bytes, most }));`;

describe('files of reports', () => {
  const company = useCompany();
  const written = (report: Report, write: typeof writeReportCsv, consume: (output: PassThrough) => Promise<unknown>) =>
    company.database.snapshot(company.ctx, async (db) => {
      const output = new PassThrough();
      const content = await openReport(db, { report, params: {}, ctx: company.ctx });
      const [, result] = await Promise.all([write(content, output), consume(output)]);
      return result;
    });
  const csv = async (report: Report) =>
    parse(String(await written(report, writeReportCsv, textOf)), { bom: true, columns: true, delimiter: ';' });
  const excel = async (report: Report) => {
    const workbook = new ExcelJS.Workbook();
    await written(report, writeReportExcel, (output) => workbook.xlsx.read(output));
    return workbook.worksheets;
  };

  it('hold the rows as CSV, labelled and safe to open, without ids and links', async () => {
    assert.deepEqual(await csv(simple), [
      { Nombre: "'=1+1", Cantidad: '1,5', Importe: '0,1', Porcentaje: '10,5' },
      { Nombre: 'Ñandú; "S.A."', Cantidad: '2', Importe: '1234,2', Porcentaje: '20' },
    ]);
  });

  it('have typed cells in Excel, with formulas for totals that are sums', async () => {
    const [sheet] = await excel(simple);
    // 1.5 + 2 = 3.5; 0.1 + 1234.2 = 1234.3; the share is an average: 30.5 / 2 = 15.25.
    assert.deepEqual(rowCells(sheet, 4), [
      'Total',
      { formula: 'SUBTOTAL(9,B2:B3)', result: 3.5 },
      { formula: 'SUBTOTAL(9,C2:C3)', result: 1234.3 },
      15.25,
    ]);
    assert.deepEqual(rowCells(sheet, 2), ["'=1+1", 1.5, 0.1, 10.5]);
    assert.equal(sheet?.getCell('C2').numFmt, '#,##0.00####');
    assert.equal(sheet?.getCell('D2').numFmt, '#,##0.00" %"');
    assert.equal(sheet?.autoFilter?.toString().replaceAll('$', ''), 'A1:D3');
    assert.deepEqual([sheet?.views[0]?.state, sheet?.name], ['frozen', 'Prueba']);
    assert.match(sheet?.headerFooter.oddHeader ?? '', /Frutas García.*Prueba.*01\/01\/2026 – 15\/06\/2026/);
  });

  it('show nested sections indented, each a formula over those that add up to it', async () => {
    const [sheet] = await excel(nested);
    const amounts = [2, 3, 4, 5, 6].map((row) => sheet?.getCell(`C${row}`).value);
    assert.deepEqual(amounts, [{ formula: 'C3+C4', result: 30 }, 10, 20, 7, 5]);
    assert.deepEqual([sheet?.getCell('B3').alignment?.indent, sheet?.getCell('B3').value], [1, 'Epígrafe A.I']);
    const codes = (await csv(nested)).map((row) => (row as Record<string, string>).Código);
    assert.deepEqual(codes, ['A', 'A.I', 'A.II', 'B', 'B.I']);
  });

  it('list the boxes of a form', async () => {
    const rows = await csv(form);
    assert.deepEqual(rows[1], {
      Apartado: 'Devengado',
      Casilla: '02',
      Concepto: 'Régimen general',
      Importe: '21',
    });
    assert.equal((await excel(form))[0]?.getCell('D4').value, 21);
  });

  it('of 200,000 rows are read by a cursor, batch by batch', async () => {
    const rows = await company.database.snapshot(company.ctx, async (db) => {
      const content = await openReport(db, { report: long, params: {}, ctx: company.ctx });
      const sizes = [];
      for await (const batch of content.tables[0]?.rows ?? []) sizes.push(batch.length);
      return sizes;
    });
    assert.equal(Math.max(...rows), 500);
    assert.equal(rows.length, ROWS / 500);
  });

  it('of 200,000 rows are written as Excel in less than 250 MB', async function () {
    this.timeout(120_000);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', LARGE_WORKBOOK],
      { env: inherited() },
    );
    const { bytes, most } = JSON.parse(stdout) as { bytes: number; most: number };
    assert.ok(bytes > 2_000_000, `${bytes} bytes`);
    assert.ok(most < 250 * 2 ** 20, `${most} bytes of memory`);
  });
});
