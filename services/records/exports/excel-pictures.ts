/**
 * A sheet of pictures. exceljs writes pictures only in workbooks that it holds in memory, so here are the parts of a workbook that they
 * need: a drawing that says where they are, and the relations of sheet, drawing and pictures.
 */
import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import type ExcelJS from 'exceljs';

export interface Picture {
  readonly title: string;
  readonly png: Uint8Array;
  /** As shown, in pixels. */
  readonly width: number;
  readonly height: number;
}

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

/** Members of exceljs' writers that we use although their types lack them. */
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
  /** Writes what stands where a drawing has its place. */
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

/** Adds the pictures below one another, on a sheet of their own at the end. @param name of the sheet, no other's */
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

/** The rows of the titles, from 1. */
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
    // Counted from 0, so that it begins in the row below its title.
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
  // exceljs gives these anchors an attribute that others have: strict readers then see no picture at all.
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
