/** The formats of report files. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ContentTable, type ReportContent, writeReportCsv, writeReportExcel } from './content.ts';
import type { Report } from './declaration.ts';
import { envelope } from './read.ts';

export interface ReportFormat {
  readonly type: string;
  readonly extension: string;
  /**
   * Begins the file; the returned function writes it and ends the stream. A PDF is printed instead (paper.ts), and a file set made by a
   * worker (generation/file-set.ts).
   * @throws ServiceError if the report cannot be written in this format
   */
  begin(content: ReportContent): Promise<FileWriter>;
  /** The name of a file without its extension, if it is not the usual one. */
  fileName?(content: ReportContent): string;
}

export type FileWriter = (output: Writable) => Promise<void>;

/** Builds a format whose rows are written as they are read. */
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

/** Position of the rows in the JSON of a streaming report; unambiguous, because quotes within values are escaped. */
const NO_ROWS = '"rows":[]';

/** The format of file sets. */
const ZIP = {
  type: 'application/zip',
  extension: 'zip',
  async begin(): Promise<never> {
    throw new Error('a file set is made by a worker');
  },
};

/** Writes the answer with all rows, as they are read. */
async function writeJson(
  { report, view, dates, warnings, tables: [table] }: ReportContent,
  output: Writable,
): Promise<void> {
  const { data, summary } = view;
  if (report.stream === undefined) {
    output.end(JSON.stringify(envelope(report, view, { ...dates, data, summary, warnings })));
    return;
  }
  const text = JSON.stringify(envelope(report, view, { ...dates, data: { ...data, rows: [] }, summary, warnings }));
  const start = text.indexOf(NO_ROWS) + NO_ROWS.length - 1;
  await pipeline(Readable.from(jsonParts(text.slice(0, start), table?.rows, text.slice(start))), output);
}

async function* jsonParts(before: string, rows: ContentTable['rows'] | undefined, after: string) {
  yield before;
  let separator = '';
  for await (const batch of rows ?? []) {
    if (batch.length === 0) continue;
    yield separator + JSON.stringify(batch).slice(1, -1);
    separator = ',';
  }
  yield after;
}

/** Lists the formats of a report. */
export function supportedFormats(report: Report): string[] {
  return [...Object.keys(FORMATS), ...Object.keys(report.formats ?? {}), ...(report.fileSet ? ['zip'] : [])];
}

/** Finds a format of a report. */
export function findFormat(report: Report, format: string): ReportFormat {
  const { fileSet } = report;
  if (fileSet !== undefined && format === 'zip') return { ...ZIP, fileName: ({ view }) => fileSet.fileName(view) };
  const own = report.formats?.[format];
  if (own === undefined) {
    const found = FORMATS[format];
    if (found === undefined) throw new Error(`the report ${report.name} has no format ${format}`);
    return found;
  }
  return {
    type: own.type,
    extension: own.extension,
    ...(own.fileName === undefined ? {} : { fileName: ({ view }) => own.fileName?.(view) ?? '' }),
    async begin({ view, tables: [table] }) {
      const file = await own.write(view, table?.rows ?? Readable.from([]));
      return async (output) => {
        output.end(file);
      };
    },
  };
}

/** Builds the name of a file: trial-balance-2026-01-01-2026-03-31.csv */
export function fileName(content: ReportContent, { extension, fileName: own }: ReportFormat): string {
  const { report, dates } = content;
  const parts = [report.name.replaceAll('/', '-'), dates.from, dates.to].filter((part) => part !== null);
  return `${own?.(content) ?? parts.join('-')}.${extension}`;
}
