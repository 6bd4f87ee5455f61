import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { buffer, text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import ExcelJS from 'exceljs';
import { type TSchema, Type } from 'typebox';
import { openZip, zipEntries } from '../../../../services/platform/files/zip.ts';
import { DEFAULT_SETTINGS } from '../../../../services/platform/settings/definitions.ts';
import { amount, text } from '../../../../services/platform/validation/schemas.ts';
import { schemaColumns } from '../../../../services/records/exports/columns.ts';
import { type ExcelOptions, writeExcel } from '../../../../services/records/exports/excel.ts';
import type { Table } from '../../../../services/records/exports/table.ts';
import { percent } from '../../../../services/reports/engine/declaration.ts';

const ROW = Type.Object({ name: text(), amount: amount(), share: percent() });

interface Given extends Partial<Omit<Table, 'rows'>> {
  readonly row?: TSchema;
  readonly batches: readonly (readonly object[])[];
}

async function* each<T>(values: readonly T[]) {
  yield* values;
}

const makeTable = ({ row = ROW, batches, ...given }: Given): Table => ({
  title: 'Rows',
  columns: schemaColumns(row),
  rows: each(batches),
  format: DEFAULT_SETTINGS.format,
  now: new Date(0),
  ...given,
});

async function writtenSheets(...tables: [Given, ...Given[]]): Promise<ExcelJS.Worksheet[]> {
  return (await writtenBook(tables)).worksheets;
}

async function writtenBook(given: [Given, ...Given[]], options: ExcelOptions = {}): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load((await writtenBytes(given, options)) as never);
  return workbook;
}

async function writtenBytes([first, ...rest]: [Given, ...Given[]], options: ExcelOptions): Promise<Buffer> {
  const output = new PassThrough();
  const tables: [Table, ...Table[]] = [makeTable(first), ...rest.map(makeTable)];
  const [, bytes] = await Promise.all([writeExcel(tables, output, options), buffer(output)]);
  return bytes;
}

/** A file of the workbook. */
async function zipPart(bytes: Buffer, name: string): Promise<string> {
  const zip = await openZip(bytes);
  for await (const entry of zipEntries(zip)) {
    if (entry.fileName === name) return textOf(await promisify(zip.openReadStream.bind(zip))(entry));
  }
  throw new Error(`there is no ${name}`);
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const row = (name: string, amount: number, share = 0) => ({ name, amount, share });

describe('sheets of a workbook', () => {
  it('have room for figures as they are shown, also for totals and rows of later batches', async () => {
    const [sheet] = await writtenSheets({
      batches: [[row('a', 1)], [row('Bodegas y Viñedos', -2, 100)]],
      totals: { amount: -123_456_789_012.34 },
    });
    // -123,456,789,012.34 has 19 characters; 100.00 % has 8; the name of the second batch has 17.
    const [name, figure, share] = [1, 2, 3].map((column) => sheet?.getColumn(column).width ?? 0);
    assert.ok((figure ?? 0) >= 20 && (share ?? 0) >= 9 && (name ?? 0) >= 18, `${name}, ${figure}, ${share}`);
  });

  it('show very long names on several lines', async () => {
    const [sheet] = await writtenSheets({ batches: [[row('x'.repeat(61), 1)]] });
    assert.deepEqual([sheet?.getColumn(1).width, sheet?.getCell('A2').alignment?.wrapText], [60, true]);
    const [short] = await writtenSheets({ batches: [[row('x'.repeat(58), 1)]] });
    assert.equal(short?.getCell('A2').alignment?.wrapText, undefined);
  });

  it('never add percentages up', async () => {
    const [sheet] = await writtenSheets({ batches: [[row('a', 10, 40)]], totals: { amount: 10, share: 40 } });
    assert.deepEqual(sheet?.getCell('B3').value, { formula: 'SUBTOTAL(9,B2:B2)', result: 10 });
    assert.equal(sheet?.getCell('C3').value, 40);
  });

  it('have names that Excel takes, each once, cut between words', async () => {
    const titles = [
      { title: 'Rentabilidad por centro de coste', sheet: 'Por centro de coste' },
      { title: 'Ledger of 430: Bodegas Águila y Compañía' },
      { title: 'Ledger of 430: Bodegas Águila y Hermanos' },
      { title: "'Quoted'" },
      { title: '*?' },
    ];
    const sheets = await writtenSheets(
      { ...titles[0], batches: [] },
      ...titles.slice(1).map((table) => ({ ...table, batches: [] })),
    );
    assert.deepEqual(
      sheets.map(({ name }) => name),
      ['Por centro de coste', 'Ledger of 430  Bodegas Águila…', 'Ledger of 430  Bodegas… 2', 'Quoted', 'Sheet'],
    );
  });

  it('may be of pictures, each below its title', async () => {
    const all = ['One', 'Two'].map((title) => ({ title, png: PIXEL, width: 760, height: 300 }));
    const book = await writtenBook([{ title: 'Charts', batches: [[row('a', 1)]] }], {
      pictures: { title: 'Charts', all },
    });
    const sheet = book.worksheets[1];
    assert.equal(sheet?.name, 'Charts 2');
    // 300 pixels are 15 rows; a title before, and two rows of space after.
    assert.deepEqual([sheet?.getCell('A1').value, sheet?.getCell('A19').value], ['One', 'Two']);
    const images = sheet?.getImages() ?? [];
    assert.deepEqual(
      images.map(({ range }) => [range.tl.nativeRow, (range as unknown as ExcelJS.ImagePosition).ext]),
      [1, 19].map((row) => [row, { width: 760, height: 300 }]),
    );
    const [first] = images.map(({ imageId }) => book.getImage(Number(imageId)));
    assert.deepEqual([first?.extension, Buffer.from(first?.buffer as never)], ['png', PIXEL]);
  });

  it('have pictures that readers find who hold to the schema', async () => {
    const pictures = { title: 'Charts', all: [{ title: 'One', png: PIXEL, width: 760, height: 300 }] };
    const drawing = await zipPart(await writtenBytes([{ batches: [] }], { pictures }), 'xl/drawings/drawing1.xml');
    assert.match(drawing, /<xdr:oneCellAnchor><xdr:from>/);
  });

  it('repeat their header on each printed page', async () => {
    const [sheet, plain] = await writtenSheets(
      { batches: [[row('a', 1)]], heading: ['Company', "Rows of 'a'", '2026'] },
      { title: 'Plain', batches: [] },
    );
    assert.equal(sheet?.pageSetup.printTitlesRow, '1:1');
    assert.equal(plain?.pageSetup.printTitlesRow, undefined);
  });

  it('are none of pictures without any', async () => {
    const book = await writtenBook([{ batches: [] }], { pictures: { title: 'Charts', all: [] } });
    assert.equal(book.worksheets.length, 1);
  });
});
