import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../../../../domain/errors.ts';
import { detectContentType } from '../../../../services/records/attachments/content.ts';
import { workbook, zip } from '../../../helpers/xlsx.ts';

const text = (content: string) => Buffer.from(content);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const MIB = 1024 ** 2;

describe('the content of attachments', () => {
  for (const [name, content, type] of [
    ['photo.txt', PNG, 'image/png'],
    ['contract.pdf', text('%PDF-1.7\n%âãÏÓ'), 'application/pdf'],
    ['lines.csv', text('a;b\n1;2'), 'text/csv'],
    ['notes', text('Ñandú'), 'text/plain'],
    ['page.html', text('<!doctype html><script>alert(1)</script>'), 'text/plain'],
    ['drawing.svg', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain'],
    ['data.xml', text('<?xml version="1.0"?><a/>'), 'application/xml'],
    ['latin.txt', Buffer.from([0xf1, 0xe1, 0x20]), 'application/octet-stream'],
    ['signed.zip', Buffer.from('PK nothing more'), 'text/plain'],
  ] as const) {
    it(`${name} is ${type}`, async () => assert.equal(await detectContentType(name, content), type));
  }

  it('a workbook is one', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    assert.equal(await detectContentType('book.xlsx', await workbook([['a'], [1]])), type);
  });

  async function assertRefused(name: string, content: Uint8Array, code: string): Promise<void> {
    await assert.rejects(detectContentType(name, content), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.code], ['/file', code]);
      return true;
    });
  }

  it('programs are refused, by their bytes and by their names', async () => {
    const header = Buffer.alloc(512);
    header.write('MZ');
    await assertRefused('photo.png', header, 'program');
    await assertRefused('tool', Buffer.concat([Buffer.from([0x7f]), text('ELF'), Buffer.alloc(100, 1)]), 'program');
    await assertRefused('run', text('#!/bin/sh\nrm -rf /'), 'program');
    for (const name of ['invoice.pdf.exe', 'a.BAT', 'a.exe.', 'a.bat . .'])
      await assertRefused(name, text('hello'), 'program');
  });

  it('links to other places are refused by their names', async () => {
    for (const name of ['a.url', 'a.lnk ', 'a.SCF', 'a.library-ms', 'a.url::$DATA']) {
      await assertRefused(name, text('[InternetShortcut]'), 'link');
    }
  });

  it('bombs are refused: what inflates to a hundred times its size, or says that it does', async () => {
    await assertRefused('bomb.csv.gz', gzipSync(Buffer.alloc(120 * MIB)), 'zip_bomb');
    assert.equal(await detectContentType('small.csv.gz', gzipSync('a;b\n1;2\n')), 'application/gzip');
    await assertRefused('bomb.zip', zip([{ name: 'zeros', content: Buffer.alloc(120 * MIB) }]), 'zip_bomb');
    const parts = Array.from({ length: 3 }, (_, index) => ({
      name: `part${index}`,
      content: text('small'),
      claimed: 400 * MIB,
    }));
    await assertRefused('bomb.docx', zip(parts), 'zip_bomb');
    assert.equal(
      await detectContentType('fine.zip', zip([{ name: 'zeros', content: Buffer.alloc(MIB) }])),
      'application/zip',
    );
  });

  it('nothing is no file', async () => {
    await assertRefused('empty.txt', Buffer.alloc(0), 'too_short');
  });
});
