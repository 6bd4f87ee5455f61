/** The formats of reports' files. */
import type { Writable } from 'node:stream';
import { type ReportContent, writeReportCsv, writeReportExcel } from './content.ts';
import type { Report } from './declaration.ts';
import { envelope } from './read.ts';

export interface ReportFormat {
  readonly type: string;
  readonly extension: string;
  /**
   * Begins the file; what is returned writes it, and ends the stream. A PDF is printed instead (paper.ts).
   * @throws ServiceError where the report cannot be written so
   */
  begin(content: ReportContent): Promise<FileWriter>;
}

export type FileWriter = (output: Writable) => Promise<void>;

/** A format whose rows are written as they are read. */
const rowByRow = (write: (content: ReportContent, output: Writable) => Promise<void>): ReportFormat['begin'] => {
  return async (content) => (output) => write(content, output);
};

const FORMATS: Readonly<Record<string, ReportFormat>> = {
  json: { type: 'application/json; charset=utf-8', extension: 'json', begin: rowByRow(writeJson) },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv', begin: rowByRow(writeReportCsv) },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    begin: rowByRow(writeReportExcel),
  },
  pdf: {
    type: 'application/pdf',
    extension: 'pdf',
    async begin() {
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
    async begin({ view }) {
      const file = await own.write(view);
      return async (output) => {
        output.end(file);
      };
    },
  };
}

/** The name of a file: trial-balance-2026-01-01-2026-03-31.csv */
export function fileName({ report, dates: { from, to } }: ReportContent, extension: string): string {
  const parts = [report.name.replaceAll('/', '-'), from, to].filter((part) => part !== null);
  return `${parts.join('-')}.${extension}`;
}
