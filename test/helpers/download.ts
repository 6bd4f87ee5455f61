/** Files that the API answers, for tests. */
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import type { TestApp } from './app.ts';

/** The answer with its bytes as they come. */
export function download(app: TestApp, path: string, init: RequestInit = {}): Promise<Response> {
  const token = { Authorization: `Bearer ${app.token}` };
  return fetch(app.address + path, { ...init, headers: { ...token, ...init.headers } });
}

/** The lines of a CSV file without its BOM, as objects of texts. @throws when it has none, or is no CSV */
export async function readCsv(response: Response, separator: string): Promise<Record<string, string>[]> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) throw new Error('The file has no BOM');
  return parse(bytes, { bom: true, columns: true, delimiter: separator, record_delimiter: '\r\n' });
}

/** A workbook as a spreadsheet reads it. */
export async function readWorkbook(response: Response): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(await response.arrayBuffer());
  return workbook;
}

/** The rows of a sheet below its header, by the header's names. */
export function rowsOfSheet(sheet: ExcelJS.Worksheet): Record<string, ExcelJS.Cell>[] {
  const names = (sheet.getRow(1).values as string[]).slice(1);
  return Array.from({ length: sheet.rowCount - 1 }, (_, index) =>
    Object.fromEntries(names.map((name, column) => [name, sheet.getRow(index + 2).getCell(column + 1)])),
  );
}

/** The values of a row, from its first column. @param row from 1 */
export function rowCells(sheet: ExcelJS.Worksheet | undefined, row: number): ExcelJS.CellValue[] {
  const values = sheet?.getRow(row).values;
  return Array.isArray(values) ? values.slice(1) : [];
}
