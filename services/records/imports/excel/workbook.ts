/**
 * Reads the parts of a workbook to which cells refer: shared texts, styles that make a number a time, and the calendar.
 */
import { badTable } from '../source.ts';
import type { Archive } from './archive.ts';
import { type Attributes, damaged, type XmlHandler, XmlReader } from './xml.ts';

export interface Workbook {
  /** Name of the part with the first sheet. */
  readonly sheet: string;
  /** Number of sheets. */
  readonly sheets: number;
  readonly texts: readonly string[];
  /** Whether a style (by its number) shows times. */
  readonly isTime: (style: number) => boolean;
  /** Whether days are counted from 1904, as on old Macs. */
  readonly from1904: boolean;
}

/** Maximum characters of all shared texts, which are kept in memory. */
const MAX_TEXTS = 64 * 1024 * 1024;

/** Reads these parts. @throws BadTable */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const root = await relations(archive, '_rels/.rels', '');
  const main = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const name = main.slice(folder.length);
  const { sheetId, sheets, from1904 } = await readMain(archive, main);
  const parts = await relations(archive, `${folder}_rels/${name}.rels`, folder);
  const sheet = parts.find(({ id, type }) => id === sheetId && type === 'worksheet')?.target;
  if (sheet === undefined) throw damaged();
  const part = (type: string) => parts.find((relation) => relation.type === type)?.target;
  return {
    sheet,
    sheets,
    from1904,
    texts: await readTexts(archive, part('sharedStrings')),
    isTime: await readStyles(archive, part('styles')),
  };
}

/** Parses a part with an XML handler. */
export async function readPart(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(handler);
  for await (const chunk of archive.read(part)) reader.push(chunk);
  reader.end();
}

interface Relation {
  readonly id: string;
  /** Last segment of the relation's type: worksheet, styles, … */
  readonly type: string;
  readonly target: string;
}

async function relations(archive: Archive, part: string, folder: string): Promise<Relation[]> {
  const found: Relation[] = [];
  if (!archive.has(part)) return found;
  await readPart(archive, part, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes();
      const target = Target.startsWith('/') ? Target.slice(1) : folder + Target;
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return found;
}

async function readMain(
  archive: Archive,
  part: string,
): Promise<{ sheetId: string; sheets: number; from1904: boolean }> {
  let sheetId: string | undefined;
  let sheets = 0;
  let from1904 = false;
  await readPart(archive, part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      sheets++;
      sheetId ??= attributes().id;
    },
  });
  if (sheetId === undefined) throw damaged();
  return { sheetId, sheets, from1904 };
}

async function readTexts(archive: Archive, part: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  const text = new TextParts();
  let size = 0;
  await readPart(archive, part, {
    open(name) {
      if (name === 'si') text.begin();
      else text.open(name);
    },
    text: (piece) => text.add(piece),
    close(name) {
      if (name !== 'si') return text.close(name);
      texts.push(text.value);
      size += text.value.length;
      if (size > MAX_TEXTS) throw badTable('zip_bomb', 'has more text than an import accepts; send it as CSV');
    },
  });
  return texts;
}

/** Joins the runs of a rich text, without phonetic hints. */
export class TextParts {
  value = '';
  #inText = false;
  #phonetic = false;

  begin(): void {
    this.value = '';
  }

  open(name: string): void {
    if (name === 't') this.#inText = true;
    if (name === 'rPh') this.#phonetic = true;
  }

  add(piece: string): void {
    if (this.#inText && !this.#phonetic) this.value += piece;
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    if (name === 'rPh') this.#phonetic = false;
  }
}

/** Built-in number formats that show dates and times. */
const TIMES_BUILT_IN: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

async function readStyles(archive: Archive, part: string | undefined): Promise<(style: number) => boolean> {
  const formats = new Map<number, boolean>();
  const styles: number[] = [];
  let inCells = false;
  if (part !== undefined) {
    await readPart(archive, part, {
      open(name, attributes) {
        if (name === 'numFmt') addFormat(formats, attributes());
        if (name === 'cellXfs') inCells = true;
        if (name === 'xf' && inCells) styles.push(Number(attributes().numFmtId ?? 0));
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    });
  }
  const times = styles.map(
    (format) => formats.get(format) ?? TIMES_BUILT_IN.some(([from, to]) => format >= from && format <= to),
  );
  return (style) => times[style] ?? false;
}

/** Maximum characters of a number format; Excel itself allows 255. */
const MAX_FORMAT = 1000;

function addFormat(formats: Map<number, boolean>, { numFmtId, formatCode = '' }: Attributes): void {
  const signs = formatCode.slice(0, MAX_FORMAT).replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');
  formats.set(Number(numFmtId), /[dmyhs]/i.test(signs));
}
