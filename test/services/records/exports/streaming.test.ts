import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import { Type } from 'typebox';
import { DEFAULT_SETTINGS } from '../../../../services/platform/settings/definitions.ts';
import { schemaColumns } from '../../../../services/records/exports/columns.ts';
import { writeCsv } from '../../../../services/records/exports/csv.ts';
import { writeExcel } from '../../../../services/records/exports/excel.ts';
import type { Table } from '../../../../services/records/exports/table.ts';

const BATCHES = 100;
const BATCH = 200;
const columns = schemaColumns(Type.Object({ id: Type.String({ format: 'uuid' }), note: Type.String() }));

/** 20,000 rows that compress badly, and how many batches of them were asked for. */
function source(failAfter = Number.POSITIVE_INFINITY) {
  const asked = { batches: 0, ended: false };
  async function* rows() {
    try {
      while (asked.batches < BATCHES) {
        if (asked.batches === failAfter) throw new Error('the rows end here');
        asked.batches++;
        yield Array.from({ length: BATCH }, () => ({
          id: crypto.randomUUID(),
          note: Array.from({ length: 5 }, () => crypto.randomUUID()).join(),
        }));
      }
    } finally {
      asked.ended = true;
    }
  }
  const table: Table = { title: 'Rows', columns, rows: rows(), format: DEFAULT_SETTINGS.format, now: new Date(0) };
  return { asked, table };
}

/** Until nothing more is asked for. */
async function untilStill(asked: { batches: number }): Promise<number> {
  for (let before = -1, still = 0; still < 5; await sleep(20)) {
    still = asked.batches === before ? still + 1 : 0;
    before = asked.batches;
  }
  return asked.batches;
}

describe('large workbooks', () => {
  it('go on in further sheets, each with its header', async () => {
    const { table } = source();
    const output = new PassThrough();
    const written = writeExcel(table, output, { maxRows: 7_300 });
    const workbook = new ExcelJS.Workbook();
    const chunks: Buffer[] = [];
    for await (const chunk of output) chunks.push(chunk as Buffer);
    await written;
    await workbook.xlsx.load(Buffer.concat(chunks) as never);
    assert.deepEqual(
      workbook.worksheets.map(({ name, rowCount }) => [name, rowCount]),
      [
        ['Rows', 7_301],
        ['Rows 2', 7_301],
        ['Rows 3', 5_401],
      ],
    );
    assert.deepEqual(
      workbook.worksheets.map((sheet) => sheet.getRow(1).getCell(2).value),
      ['note', 'note', 'note'],
    );
  });
});

for (const [name, write] of Object.entries({ csv: writeCsv, excel: writeExcel })) {
  describe(`streaming of ${name}`, () => {
    it('reads rows only as fast as the client takes them', async () => {
      const { asked, table } = source();
      const output = new PassThrough();
      const written = write(table, output);
      const ahead = await untilStill(asked);
      assert.ok(ahead < BATCHES / 5, `${ahead} of ${BATCHES} batches are read before anybody reads the file`);
      let bytes = 0;
      for await (const chunk of output) bytes += (chunk as Buffer).length;
      await written;
      assert.equal(asked.batches, BATCHES);
      assert.ok(bytes > BATCHES * BATCH * 30, `${bytes} bytes`);
    });

    it('ends when the client goes away', async () => {
      const { asked, table } = source();
      const output = new PassThrough();
      const written = write(table, output);
      await untilStill(asked);
      output.destroy();
      await assert.rejects(written);
      assert.ok(asked.ended, 'the rows are let go');
      assert.ok(asked.batches < BATCHES, 'not all rows were read');
    });

    it('tells when the rows fail', async () => {
      const { table } = source(3);
      const output = new PassThrough();
      output.resume();
      await assert.rejects(write(table, output), /the rows end here/);
    });
  });
}
