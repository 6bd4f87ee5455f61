import assert from 'node:assert/strict';
import { fileName } from '../../domain/file-names.ts';

describe('names of files', () => {
  for (const [sent, name] of [
    ['Factura nº 1.pdf', 'Factura nº 1.pdf'],
    ['C:\\Users\\ana\\a.pdf', 'a.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['a\r\nSet-Cookie: b.txt', 'aSet-Cookie: b.txt'],
    ['exe\u202egpj.exe', 'exegpj.exe'],
    ['..', ''],
    ['folder/', ''],
  ] as const) {
    it(`of ${JSON.stringify(sent)}`, () => assert.equal(fileName(sent), name));
  }
});
