/**
 * Adds a sheet of pictures. exceljs writes pictures only into workbooks that it keeps in memory, so this writes the parts that they need: a
 * drawing with their positions, and the relations of sheet, drawing and pictures.
 */
import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import type ExcelJS from 'exceljs';

export interface Picture {
  readonly title: string;
  readonly png: Uint8Array;
  /** Displayed size, in pixels. */
  readonly width: number;
  readonly height: number;
}

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

/** Members of exceljs' writers that its types lack. */
interface Parts {
  readonly zip: { append(xml: string, entry: { readonly name: string }): void };
  readonly media: readonly unknown[];
  readonly sharedStrings: unknown;
  readonly commentRefs: unknown;
  readonly _worksheets: readonly unknown[];
  addContentTypes(): Promise<void>;
}
interface SheetParts {
  readonly stream: { write(xml: string): void };
  readonly _sheetRelsWriter: { addRelationship(relation: { readonly Type: string; readonly Target: string }): string };
  /** Writes the part of the sheet where its drawing belongs. */
  _writeLegacyData(): void;
}
interface Xform {
  prepare(model: object): void;
  toXml(model: object): string;
}

const load = createRequire(import.meta.url);
const xform = (name: string): Xform => new (load(`exceljs/lib/xlsx/xform/${name}.js`))();

const DRAWING = 'drawing1';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Height of a row, in pixels. */
const ROW_HEIGHT = 20;

/** Adds a sheet with the pictures, one below the other, at the end. @param name the sheet's name, unique in the workbook */
export function addPictures(workbook: WorkbookWriter, name: string, pictures: readonly Picture[]): void {
  const sheet = workbook.addWorksheet(name, {
    views: [{ showGridLines: false }],
    pageSetup: { paperSize: 9, fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  const tops = titleRows(pictures);
  pictures.forEach(({ title }, index) => {
    const row = sheet.getRow(tops[index] ?? 1);
    row.getCell(1).value = title;
    row.font = { name: 'Calibri', size: 11, bold: true };
    row.commit();
  });
  const parts = sheet as unknown as SheetParts;
  const Target = `../drawings/${DRAWING}.xml`;
  const id = parts._sheetRelsWriter.addRelationship({ Type: `${RELATIONS}/drawing`, Target });
  parts._writeLegacyData = () => parts.stream.write(`<drawing r:id="${id}"/>`);
  sheet.commit();
  writeDrawing(workbook, pictures, tops);
}

/** Row numbers of the titles, from 1. */
function titleRows(pictures: readonly Picture[]): number[] {
  let next = 1;
  return pictures.map(({ height }) => {
    const top = next;
    next += Math.ceil(height / ROW_HEIGHT) + 3;
    return top;
  });
}

function writeDrawing(workbook: WorkbookWriter, pictures: readonly Picture[], tops: readonly number[]): void {
  const parts = workbook as unknown as Parts;
  const anchors = pictures.map(({ width, height }, index) => ({
    picture: { rId: `rId${index + 1}` },
    // Counted from 0, so the picture begins in the row below its title.
    range: {
      tl: { nativeCol: 0, nativeColOff: 0, nativeRow: tops[index], nativeRowOff: 0 },
      ext: { width, height },
    },
  }));
  const relations = pictures.map(({ png }, index) => {
    const image = workbook.addImage({ buffer: Buffer.from(png) as never, extension: 'png' });
    return { Id: `rId${index + 1}`, Type: `${RELATIONS}/image`, Target: `../media/image${image}.png` };
  });
  const drawing = xform('drawing/drawing-xform');
  drawing.prepare({ anchors });
  // exceljs gives these anchors an attribute of another kind of anchor; strict readers then show no picture.
  const xml = drawing.toXml({ anchors }).replaceAll(/(<xdr:oneCellAnchor) editAs="\w+"/g, '$1');
  parts.zip.append(xml, { name: `xl/drawings/${DRAWING}.xml` });
  const related = xform('core/relationships-xform').toXml(relations);
  parts.zip.append(related, { name: `xl/drawings/_rels/${DRAWING}.xml.rels` });
  parts.addContentTypes = async () => {
    const { media, sharedStrings, commentRefs } = parts;
    const worksheets = parts._worksheets.filter(Boolean);
    const drawings = [{ name: DRAWING }];
    const types = xform('core/content-types-xform').toXml({ worksheets, sharedStrings, commentRefs, media, drawings });
    parts.zip.append(types, { name: '[Content_Types].xml' });
  };
}
