/** The route of a report, from its declaration. */
import { type TSchema, Type } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { ServiceError } from '../../domain/errors.ts';
import { pascalCase } from '../../domain/words.ts';
import {
  fileName,
  needsSnapshot,
  openReport,
  type ReportContent,
  writeReportCsv,
  writeReportExcel,
} from '../../services/reports/content.ts';
import type { Report, Values } from '../../services/reports/declaration.ts';
import { PAGING } from '../../services/reports/paging.ts';
import { answerSchema, readReport } from '../../services/reports/read.ts';
import { assertParameters, type ReportOrder, reportRequest } from '../../services/reports/request.ts';
import { choice } from '../../services/validation/schemas.ts';
import { type OpenFile, streamedFile, writtenFile } from '../file-stream.ts';
import { EXPORT_TYPES } from '../list-export.ts';
import { compared, type Deps, defineRoute, type Route, type RouteResponse } from '../route.ts';

/** Titles of columns in files. */
const HEADER = choice(['labels', 'names'], {
  default: 'labels',
  description: "Column titles of files: labels in the company's language, or names of members",
});

/** GET /api/reports/<name>, in all its formats. */
export function reportRoute(report: Report): Route {
  const { name, title, description, area, parameters, paged } = report;
  const own = Object.entries(report.formats ?? {}).map(([format, { type }]) => [format, type] as const);
  const types: Readonly<Record<string, string>> = { ...EXPORT_TYPES, ...Object.fromEntries(own) };
  const output = {
    format: Type.Optional(choice(['json', ...Object.keys(types)], { default: 'json' })),
    header: Type.Optional(HEADER),
  };
  return defineRoute({
    method: 'GET',
    path: `/api/reports/${name}`,
    id: `get${pascalCase(name.replaceAll(/[-/]/g, '_'))}`,
    summary: title.en,
    ...(description === undefined ? {} : { description }),
    tag: 'Reports',
    access: `reports:${area}`,
    ...(report.problems === undefined ? {} : { problems: report.problems }),
    query: Type.Object({ ...parameters, ...(paged === true ? PAGING : {}), ...output }),
    responses: { 200: compared(answerSchema(report)) as TSchema },
    formats: types,
    // A file outlives the handler, so it takes its own connection.
    transaction: 'none',
    async handler({ deps, reader, ctx, query }) {
      const { format: wanted = 'json', header, ...params } = query as Values;
      assertParameters(report, params);
      const order: ReportOrder = { report, params, ctx, names: header === 'names' };
      if (wanted === 'json' && header !== undefined) {
        throw new ServiceError('invalid_parameter', 'header is allowed only with a format other than json');
      }
      if (wanted !== 'json') return reportFile(deps, reader, order, String(wanted));
      const read = async (on: Reader) => readReport(report, await reportRequest(on, order, false));
      const body = report.consistent === true ? await deps.database.snapshot(ctx, read) : await read(reader);
      return { status: 200, body };
    },
  });
}

function reportFile({ database }: Deps, reader: Reader, order: ReportOrder, format: string): Promise<RouteResponse> {
  const open = async (on: Reader) => written(await openReport(on, order), format);
  return needsSnapshot(order.report) ? streamedFile(database, order.ctx, open) : open(reader).then(writtenFile);
}

/** The file of a report's content. */
async function written(content: ReportContent, format: string): Promise<OpenFile> {
  const type = EXPORT_TYPES[format] ?? '';
  if (format === 'csv') {
    return { type, name: fileName(content, 'csv'), write: (output) => writeReportCsv(content, output) };
  }
  if (format === 'excel') {
    return { type, name: fileName(content, 'xlsx'), write: (output) => writeReportExcel(content, output) };
  }
  const own = content.report.formats?.[format];
  if (own === undefined) throw new Error(`the report ${content.report.name} has no format ${format}`);
  const bytes = await own.write(content.view);
  return {
    type: own.type,
    name: fileName(content, own.extension),
    async write(output) {
      output.end(bytes);
    },
  };
}
