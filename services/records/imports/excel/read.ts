/**
 * Reads the first sheet of Excel workbooks (.xlsx) as a stream, so that memory does not grow with its rows. Formulas have their saved
 * values; macros and links to other files are ignored.
 */
import { assertColumn, type SourceCell, type SourceRow, type SourceRows } from '../source.ts';
import { Archive } from './archive.ts';
import { readWorkbook, TextParts, type Workbook } from './workbook.ts';
import { damaged, XmlReader } from './xml.ts';

const DAY = 86_400_000;
/** Days from Excel's day zero to 1970. */
const EPOCH = 25_569;
/** Excel counts a 29 February 1900, so earlier days are off by one. */
const LEAP_BUG = 60;
const FROM_1904 = 1462;

/**
 * Reads the rows of the first sheet.
 * @param opened called with the number of sheets
 * @throws BadTable invalid_excel, zip_bomb
 */
export async function* readExcel(content: Uint8Array, opened?: (sheets: number) => void): SourceRows {
  const archive = await Archive.open(content);
  const workbook = await readWorkbook(archive);
  opened?.(workbook.sheets);
  const sheet = new SheetReader(workbook);
  const reader = new XmlReader(sheet);
  for await (const chunk of archive.read(workbook.sheet)) {
    reader.push(chunk);
    const rows = sheet.take();
    if (rows.length > 0) yield rows;
  }
  reader.end();
}

/** Computes an upper bound of the number of rows, including the header. Inflates everything, which exposes false sizes in the directory. */
export async function countExcelRows(content: Uint8Array): Promise<number> {
  const archive = await Archive.open(content);
  const { sheet } = await readWorkbook(archive);
  let rows = 0;
  const reader = new XmlReader({
    open(name) {
      if (name === 'row') rows++;
    },
  });
  for await (const chunk of archive.read(sheet)) reader.push(chunk);
  return rows;
}

class SheetReader {
  readonly #workbook: Workbook;
  readonly #text = new TextParts();
  #rows: SourceRow[] = [];
  #line = 0;
  #cells: SourceCell[] = [];
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #inValue = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  /** Takes the rows completed since the last call. */
  take(): SourceRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: () => Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#line = Number(attributes().r ?? this.#line + 1);
      if (!Number.isSafeInteger(this.#line)) throw damaged();
      this.#cells = [];
      this.#column = -1;
    } else if (name === 'c') {
      const { r, t = 'n', s = '0' } = attributes();
      this.#column = r === undefined ? this.#column + 1 : columnIndex(r);
      this.#type = t;
      this.#style = Number(s);
      this.#value = '';
      this.#text.begin();
    } else if (name === 'v') this.#inValue = true;
    else this.#text.open(name);
  }

  text(piece: string): void {
    if (this.#inValue) this.#value += piece;
    else this.#text.add(piece);
  }

  close(name: string): void {
    if (name === 'v') this.#inValue = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#endRow();
    else this.#text.close(name);
  }

  #endCell(): void {
    const cell = this.#cell();
    if (cell === null) return;
    assertColumn(this.#column, this.#line);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column] = cell;
  }

  #endRow(): void {
    const cells = this.#cells;
    if (cells.some((cell) => cell !== null && cell !== '')) this.#rows.push({ line: this.#line, cells });
  }

  #cell(): SourceCell {
    const value = this.#value;
    switch (this.#type) {
      case 'inlineStr':
        return plain(this.#text.value);
      case 's':
        return value === '' ? null : plain(this.#workbook.texts[Number(value)] ?? '');
      case 'str':
        return plain(value);
      case 'b':
        return value === '' ? null : value === '1';
      case 'e':
        return { failed: value };
      case 'd':
        return value === '' ? null : value;
      default:
        return value.trim() === '' ? null : this.#number(Number(value));
    }
  }

  /** Rounds to 15 digits, as Excel shows numbers: 0.30000000000000004 means 0.3. */
  #number(value: number): SourceCell {
    if (!Number.isFinite(value)) return { failed: '#VALUE!' };
    return this.#workbook.isTime(this.#style) ? { wall: this.#wall(value) } : Number(value.toPrecision(15));
  }

  #wall(serial: number): number {
    const days = this.#workbook.from1904 ? serial + FROM_1904 : serial < LEAP_BUG ? serial + 1 : serial;
    return Math.round(((days - EPOCH) * DAY) / 1000) * 1000;
  }
}

/** Index of the column, from 0: `AB12` → 27. */
function columnIndex(reference: string): number {
  let index = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    index = index * 26 + value;
  }
  return index - 1;
}

/** Decodes characters that XML cannot contain, written as _x000D_. */
function plain(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
