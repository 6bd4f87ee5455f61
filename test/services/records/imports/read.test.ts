import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countRows, openTable } from '../../../../services/records/imports/read.ts';
import { BadTable, CSV, EXCEL, MAX_ROWS, type SourceCell } from '../../../../services/records/imports/source.ts';
import { sheetParts, withStyles, workbook, zip } from '../../../helpers/xlsx.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const csv = (content: Uint8Array | string) =>
  ({ type: CSV, content: typeof content === 'string' ? bytes(content) : content }) as const;
const excel = (content: Uint8Array) => ({ type: EXCEL, content }) as const;

async function read(file: Parameters<typeof openTable>[0]) {
  const { header, batches } = await openTable(file, 3);
  const rows = [header];
  for await (const batch of batches) {
    assert.ok(batch.length <= 3, 'no batch is larger than asked for');
    rows.push(...batch);
  }
  return rows.map(({ line, cells }) => [line, ...cells]);
}

async function refusal(file: Parameters<typeof openTable>[0]): Promise<{ code: string; line: number }> {
  try {
    await read(file);
  } catch (error) {
    assert.ok(error instanceof BadTable, String(error));
    const { code, line } = error.errors[0] as { code: string; line: number };
    return { code, line };
  }
  assert.fail('the file was read');
}

describe('table files', function () {
  this.timeout(300_000);

  describe('CSV', () => {
    it('takes the separator from the header, outside of its quotes', async () => {
      for (const separator of [';', ',', '\t']) {
        assert.deepEqual(await read(csv(`code${separator}name\nA${separator}Ana\n`)), [
          [1, 'code', 'name'],
          [2, 'A', 'Ana'],
        ]);
      }
      assert.deepEqual(await read(csv('"a,b,c";d\n1;2')), [
        [1, 'a,b,c', 'd'],
        [2, '1', '2'],
      ]);
      assert.deepEqual(await read(csv('code\nA')), [
        [1, 'code'],
        [2, 'A'],
      ]);
    });

    it('takes UTF-8 with and without BOM, every line break, and tells the first line of what it reads', async () => {
      const text = 'code;name\r\n\r\nA;"two\r\nlines;""so"""\rB;\n;""\n\nC;ñ€😀';
      const expected = [
        [1, 'code', 'name'],
        [3, 'A', 'two\r\nlines;"so"'],
        [5, 'B', null],
        [8, 'C', 'ñ€😀'],
      ];
      // A line with nothing but empty cells is none.
      const uniform = text.replaceAll(/\r\n|\r|\n/g, '\n');
      const plain = expected.map((row) =>
        row.map((cell) => (typeof cell === 'string' ? cell.replace('\r\n', '\n') : cell)),
      );
      assert.deepEqual(await read(csv(uniform)), plain);
      assert.deepEqual(await read(csv(`\ufeff${uniform}`)), plain);
      assert.deepEqual(await read(csv(uniform.replaceAll('\n', '\r\n'))), expected);
    });

    it('tells an empty text from nothing', async () => {
      assert.deepEqual((await read(csv('a;b;c\n"";;x')))[1], [2, '', null, 'x']);
    });

    it('refuses other encodings, with the line where it shows', async () => {
      const utf16 = Buffer.from('\ufeffcode;name\nA;B', 'utf16le');
      assert.deepEqual(await refusal(csv(utf16)), { code: 'invalid_encoding', line: 1 });
      assert.equal((await refusal(csv(Buffer.from(utf16).swap16()))).code, 'invalid_encoding');
      assert.equal((await refusal(csv(Buffer.from('code;name\nA;B', 'utf16le')))).code, 'invalid_encoding');
      const latin = Buffer.from('code;name\nA;Ana\nB;Logroño\n', 'latin1');
      assert.deepEqual(await refusal(csv(latin)), { code: 'invalid_encoding', line: 3 });
    });

    it('refuses what is no table', async () => {
      assert.equal((await refusal(csv(''))).code, 'missing_header');
      assert.equal((await refusal(csv('\n \n')).catch(() => ({ code: 'read' }))).code, 'read');
      assert.deepEqual(await refusal(csv('code;name\nA;"open\nB;x')), { code: 'invalid_csv', line: 2 });
      assert.deepEqual(await refusal(csv('code;name\nA;x\nB;y"z"')), { code: 'invalid_csv', line: 3 });
    });

    it('takes 100,000 rows and no more', async () => {
      const most = csv(`code;name\n${'A;x\n'.repeat(MAX_ROWS)}`);
      assert.equal(await countRows(most, MAX_ROWS), MAX_ROWS);
      const more = csv(`code;name\n${'A;x\n'.repeat(MAX_ROWS + 1)}`);
      assert.deepEqual(await refusal(more), { code: 'too_many_rows', line: MAX_ROWS + 2 });
      await assert.rejects(countRows(more, 500), BadTable);
    });

    it('refuses lines that never end, with more columns than any resource has, and heaps of empty ones', async () => {
      assert.deepEqual(await refusal(csv('a,'.repeat(50_000))), { code: 'too_many_columns', line: 1 });
      assert.deepEqual(await refusal(csv(`code;name\n${';'.repeat(50_000)}`)), { code: 'too_many_columns', line: 2 });
      assert.deepEqual(await refusal(csv(`code;name\n"${'x'.repeat(2 << 20)}";y`)), { code: 'invalid_csv', line: 2 });
      assert.equal((await refusal(csv(`code;name\n${';\n'.repeat(2 * MAX_ROWS + 1)}`))).code, 'too_many_rows');
      assert.equal((await read(csv(`code;name\n${';\n'.repeat(MAX_ROWS)}A;B`))).length, 2, 'some may be empty');
    });

    it('leaves time for others while it reads', async () => {
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      await countRows(csv(`code;name\n${'A;x\n'.repeat(20_000)}`), MAX_ROWS);
      clearInterval(timer);
      assert.ok(turns >= 5, `others had ${turns} turns`);
    });

    it('every table comes back as it was written', async () => {
      const cell = fc.oneof(
        fc.constant(null),
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.stringMatching(/^[;,"\n\t a-c]{0,8}$/),
      );
      const quoted = (value: string | null) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(cell, cell), { maxLength: 8 }),
          fc.constantFrom(';', ',', '\t'),
          async (rows, separator) => {
            const lines = [['x', 'y'], ...rows].map((row) => row.map(quoted).join(separator));
            const given: (readonly SourceCell[])[] = rows.filter((row) =>
              row.some((value) => value !== null && value !== ''),
            );
            const back = (await read(csv(lines.join('\n')))).slice(1);
            assert.deepEqual(
              back.map(([, ...cells]) => cells),
              given,
            );
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  describe('Excel', () => {
    it('reads texts, numbers, truth values, times and formulas of the first sheet', async () => {
      const content = await workbook(
        [
          ['code', 'price', 'active', 'day', 'formula', 'rich'],
          [
            'A & <B>',
            0.1 + 0.2,
            true,
            new Date('2026-02-28T00:00:00Z'),
            { formula: '1+1', result: 2 },
            { richText: [{ text: 'a' }, { text: 'b', font: { bold: true } }] },
          ],
          [],
          [
            1001,
            -5,
            false,
            new Date('1899-12-31T00:00:00Z'),
            { formula: '1/0', result: { error: '#DIV/0!' } },
            '_x0041_',
          ],
        ],
        (sheet) => {
          sheet.getColumn(4).numFmt = 'dd/mm/yyyy';
        },
      );
      const wall = (day: string) => ({ wall: Date.parse(day) });
      assert.deepEqual(await read(excel(content)), [
        [1, 'code', 'price', 'active', 'day', 'formula', 'rich'],
        [2, 'A & <B>', 0.3, true, wall('2026-02-28'), 2, 'ab'],
        [4, 1001, -5, false, wall('1900-01-01'), { failed: '#DIV/0!' }, 'A'],
      ]);
    });

    it('reads texts in the cells, times by their format, and columns that are left out', async () => {
      const sheet = `<?xml version="1.0"?><!-- x --><x:worksheet><x:sheetData><x:row r="2"><x:c r="A2" t="inlineStr"><x:is><x:t>co</x:t><x:rPh><x:t>no</x:t></x:rPh><x:r><x:t xml:space="preserve">de </x:t></x:r></x:is></x:c><x:c r="AB2" t="str"><x:v>far</x:v></x:c></x:row>
        <x:row r="5"><x:c r="B5"><x:v>1.5</x:v></x:c><x:c t="b"><x:v>0</x:v></x:c><x:c r="D5" s="3"/></x:row><x:row r="6"/></x:sheetData></x:worksheet>`;
      const gap = Array.from({ length: 26 }, () => null);
      assert.deepEqual(await read(excel(zip(sheetParts(sheet)))), [
        [2, 'code ', ...gap, 'far'],
        [5, null, 1.5, false],
      ]);
    });

    it('refuses what is no workbook', async () => {
      const parts = sheetParts('<worksheet><sheetData/></worksheet>');
      const broken: Uint8Array[] = [
        bytes('code;name'),
        new Uint8Array(0),
        Buffer.from('PK\u0003\u0004 and nothing else'),
        zip([{ name: 'readme.txt', content: bytes('x') }]),
        zip(parts.slice(0, 3)),
        zip(sheetParts('<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>')),
        zip(sheetParts('<worksheet><sheetData><row r="1"><c')),
        zip(sheetParts(Buffer.from([0x3c, 0xff, 0xfe]))),
      ];
      for (const [index, content] of broken.entries()) {
        assert.equal((await refusal(excel(content))).code, 'invalid_excel', `file ${index}`);
      }
      assert.equal((await refusal(excel(zip(parts)))).code, 'missing_header');
    });

    it('is done with XML that is made to be slow', async () => {
      // Each of them takes hours when the time grows with the square of their length.
      const long = 'a'.repeat(1_000_000);
      for (const xml of [`<${long}`, `<row ${long}/>`, `<row ${'a="b" c '.repeat(100_000)}/>`]) {
        assert.equal((await refusal(excel(zip(sheetParts(`${xml}<`))))).code, 'invalid_excel', xml.slice(0, 20));
      }
      const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(1_000_000)}"/></numFmts></styleSheet>`;
      const row = '<worksheet><sheetData><row><c t="str"><v>code</v></c></row></sheetData></worksheet>';
      assert.deepEqual(await read(excel(zip(withStyles(row, styles)))), [[1, 'code']]);
    });

    it('refuses numbers of rows that are none', async () => {
      for (const r of ['x', '1e400', '1.5']) {
        const sheet = `<worksheet><sheetData><row r="${r}"/></sheetData></worksheet>`;
        assert.equal((await refusal(excel(zip(sheetParts(sheet))))).code, 'invalid_excel', r);
      }
    });

    it('inflates no bomb, whatever its directory says', async () => {
      const heavy = Buffer.alloc(40 * 1024 * 1024, ' ');
      const bomb = [...sheetParts('<worksheet/>').slice(0, 3), { name: 'xl/sheet.xml', content: heavy }];
      assert.equal((await refusal(excel(zip(bomb)))).code, 'zip_bomb');
      const claim = (claimed: number) =>
        bomb.map((part) => (part.name === 'xl/sheet.xml' ? { ...part, claimed } : part));
      assert.equal((await refusal(excel(zip(claim(300 * 1024 * 1024))))).code, 'zip_bomb');
      assert.equal((await refusal(excel(zip(claim(1000))))).code, 'invalid_excel');
      await assert.rejects(countRows(excel(zip(claim(1000))), 500), BadTable);
    });

    it('takes 100,000 rows and no more', async () => {
      const sheet = (rows: number) =>
        excel(
          zip(
            sheetParts(
              `<worksheet><sheetData>${Array.from({ length: rows + 1 }, (_, index) => `<row><c><v>${index * 7919}</v></c></row>`).join('')}</sheetData></worksheet>`,
            ),
          ),
        );
      assert.equal(await countRows(sheet(MAX_ROWS), MAX_ROWS), MAX_ROWS);
      assert.equal((await refusal(sheet(MAX_ROWS + 1))).code, 'too_many_rows');
    });
  });
});
