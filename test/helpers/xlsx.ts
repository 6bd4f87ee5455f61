/** Workbooks and archives for tests of imports. */
import { crc32, deflateRawSync } from 'node:zlib';
import ExcelJS from 'exceljs';

export const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A workbook as Excel writes it: with shared texts and styles. */
export async function workbook(
  rows: readonly (readonly unknown[])[],
  dress: (sheet: ExcelJS.Worksheet) => void = () => undefined,
): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Rows');
  for (const row of rows) sheet.addRow([...row]);
  dress(sheet);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

export interface ZipPart {
  readonly name: string;
  readonly content: Uint8Array;
  /** Size claimed in the directory, if not the true one. */
  readonly claimed?: number;
}

/** A ZIP archive, also one that lies. */
export function zip(parts: readonly ZipPart[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimed = content.length } of parts) {
    const packed = deflateRawSync(content, { level: 9 });
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, title, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, title]));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

function checksum(content: Uint8Array): number {
  if (typeof crc32 === 'function') return crc32(content);
  let crc = ~0;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of the smallest workbook, around the XML of its sheet. */
export function sheetParts(sheet: string | Uint8Array): ZipPart[] {
  const part = (name: string, content: string | Uint8Array): ZipPart => ({
    name,
    content: typeof content === 'string' ? Buffer.from(content) : content,
  });
  return [
    part(
      '_rels/.rels',
      `<Relationships><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    part(
      'xl/workbook.xml',
      '<workbook xmlns:r="x"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="/xl/sheet.xml"/></Relationships>`,
    ),
    part('xl/sheet.xml', sheet),
  ];
}

/** The same with styles. */
export function withStyles(sheet: string, styles: string): ZipPart[] {
  return [
    ...sheetParts(sheet).filter(({ name }) => name !== 'xl/_rels/workbook.xml.rels'),
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: Buffer.from(
        `<Relationships><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="/xl/sheet.xml"/><Relationship Id="r2" ` +
          `Type="${RELATIONS}/styles" Target="/xl/styles.xml"/></Relationships>`,
      ),
    },
    { name: 'xl/styles.xml', content: Buffer.from(styles) },
  ];
}
