/** The formats of reports' files. */
import type { Writable } from 'node:stream';
import { type ReportContent, writeReportCsv, writeReportExcel } from './content.ts';
import type { Report } from './declaration.ts';
import { envelope } from './read.ts';

export interface ReportFormat {
  readonly type: string;
  readonly extension: string;
  /** Writes the file, and ends the stream. A PDF is printed instead (paper.ts). */
  write(content: ReportContent, output: Writable): Promise<void>;
}

const FORMATS: Readonly<Record<string, ReportFormat>> = {
  json: { type: 'application/json; charset=utf-8', extension: 'json', write: writeJson },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv', write: writeReportCsv },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    write: writeReportExcel,
  },
  pdf: {
    type: 'application/pdf',
    extension: 'pdf',
    async write() {
      throw new Error('a PDF is printed, not written');
    },
  },
};

/** The answer with all rows. */
async function writeJson({ report, view, dates, tables }: ReportContent, output: Writable): Promise<void> {
  const data = report.stream === undefined ? view.data : { ...view.data, rows: await allRows(tables[0]) };
  output.end(JSON.stringify(envelope(report, view, { ...dates, data, summary: view.summary })));
}

async function allRows(table: ReportContent['tables'][number] | undefined): Promise<object[]> {
  const all: object[] = [];
  for await (const batch of table?.rows ?? []) all.push(...batch);
  return all;
}

/** All formats of a report. */
export function formatsOf(report: Report): string[] {
  return [...Object.keys(FORMATS), ...Object.keys(report.formats ?? {})];
}

/** One of them. */
export function formatOf(report: Report, format: string): ReportFormat {
  const own = report.formats?.[format];
  if (own === undefined) {
    const found = FORMATS[format];
    if (found === undefined) throw new Error(`the report ${report.name} has no format ${format}`);
    return found;
  }
  return {
    type: own.type,
    extension: own.extension,
    async write({ view }, output) {
      output.end(await own.write(view));
    },
  };
}

/** The name of a file: trial-balance-2026-01-01-2026-03-31.csv */
export function fileName({ report, dates: { from, to } }: ReportContent, extension: string): string {
  const parts = [report.name.replaceAll('/', '-'), from, to].filter((part) => part !== null);
  return `${parts.join('-')}.${extension}`;
}
