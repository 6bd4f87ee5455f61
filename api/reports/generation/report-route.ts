/** The routes of a report, from its declaration. */
import { type TSchema, Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { asBodyFault, refusedParameter } from '../../../domain/errors.ts';
import { pascalCase } from '../../../domain/words.ts';
import { choice, flag } from '../../../services/platform/validation/schemas.ts';
import { needsSnapshot, openReport, type ReportContent } from '../../../services/reports/engine/content.ts';
import { permissionFor, type Report, type Values } from '../../../services/reports/engine/declaration.ts';
import { fileName, findFormat, supportedFormats } from '../../../services/reports/engine/formats.ts';
import { PAGING } from '../../../services/reports/engine/paging.ts';
import { answerSchema, readReport } from '../../../services/reports/engine/read.ts';
import { nameRecords } from '../../../services/reports/engine/references.ts';
import { type ReportOrder, reportRequest } from '../../../services/reports/engine/request.ts';
import { isForWorker, mayNeedWorker } from '../../../services/reports/engine/size.ts';
import { startGeneration } from '../../../services/reports/generation/generate.ts';
import { type OpenFile, streamedFile, writtenFile } from '../../file-stream.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { compared, type Deps, defineRoute, type Route, type RouteResponse } from '../../route.ts';
import { awaitedFile } from './awaited-file.ts';

/** Titles of columns in files. */
const HEADER = choice(['labels', 'names'], {
  default: 'labels',
  description: "Column titles of files: labels in the company's language, or names of members",
});
const IN_BACKGROUND =
  'The file is the result of a background task: its `result_url` is a link that needs no token and is valid as long as the file is kept.';

/** Returns the parts that both routes of a report share. */
function shared(report: Report) {
  const { name, title } = report;
  const words = pascalCase(name.replaceAll(/[-/]/g, '_'));
  return { words, title: title.en, tag: 'Reports', access: permissionFor(report) } as const;
}

/** The codes of its own problems, and of records that its parameters may name. */
function reportProblems({ problems = [], parameters }: Report): ErrorCode[] {
  return [...new Set<ErrorCode>([...problems, ...(nameRecords(parameters) ? (['not_found'] as const) : [])])];
}

/** GET /api/reports/<name>, in all its formats. */
export function reportRoute(report: Report): Route {
  const { description, parameters, paged } = report;
  const { words, title, ...common } = shared(report);
  const formats = supportedFormats(report);
  const types = formats.filter((format) => format !== 'json').map((format) => [format, mediaType(report, format)]);
  const output = {
    format: Type.Optional(choice(formats, { default: 'json' })),
    header: Type.Optional(HEADER),
  };
  return defineRoute({
    ...common,
    method: 'GET',
    path: `/api/reports/${report.name}`,
    id: `get${words}`,
    // The task of an awaited file may be deleted by a colleague.
    problems: [...reportProblems(report), 'invalid_transition'],
    summary: title,
    ...(description === undefined ? {} : { description }),
    query: Type.Object({ ...parameters, ...(paged === true ? PAGING : {}), ...output }),
    responses: { 200: compared(answerSchema(report)) as TSchema, 202: TaskStarted },
    formats: Object.fromEntries(types),
    // A file outlives the handler, so it takes its own connection.
    transaction: 'none',
    async handler({ deps, reader, ctx, query }) {
      const { format = 'json', header, ...params } = query as Values & { format?: string };
      const order: ReportOrder = { report, params, ctx, format, names: header === 'names' };
      assertHeader(format, header);
      if (format === 'json') return { status: 200, body: await answer(deps, reader, order) };
      // Refuses an impossible request at once, before a task is started.
      const isLong = mayNeedWorker(report, format) && (await isForWorker(reader, order));
      return isLong ? awaitedFile(deps, order, format) : reportFile(deps, reader, order, format);
    },
  });
}

/** POST /api/reports/<name>/generate */
export function generationRoute(report: Report): Route {
  const { words, title, ...common } = shared(report);
  const output = {
    format: Type.Optional(choice(supportedFormats(report), { default: 'pdf' })),
    header: Type.Optional(HEADER),
    notify: Type.Optional(
      flag({ default: true, description: 'Whether its end is notified; a failure is in any case' }),
    ),
  };
  return defineRoute({
    ...common,
    method: 'POST',
    path: `/api/reports/${report.name}/generate`,
    id: `generate${words}`,
    summary: `${title}, in the background`,
    description: IN_BACKGROUND,
    body: Type.Object({ ...report.parameters, ...output }),
    bodyOptional: true,
    responses: { 202: TaskStarted },
    async handler({ db, ctx, body }) {
      const {
        format = 'pdf',
        header,
        notify = true,
        ...params
      } = (body ?? {}) as Values & {
        format?: string;
        notify?: boolean;
      };
      try {
        assertHeader(format, header);
        await isForWorker(db, { report, params, ctx, format });
      } catch (error) {
        throw asBodyFault(error);
      }
      const input = { report: report.name, params, format, names: header === 'names', notify };
      const task = await startGeneration(db, ctx, input, false);
      return taskStarted(task, 'queued');
    },
  });
}

function assertHeader(format: string, header: unknown): void {
  if (format !== 'json' || header === undefined) return;
  throw refusedParameter('header', 'is allowed only with a format other than json');
}

function mediaType(report: Report, format: string): string {
  return findFormat(report, format).type.split(';')[0] ?? '';
}

/** The report as JSON. */
async function answer({ database }: Deps, reader: Reader, order: ReportOrder): Promise<Values> {
  const read = async (on: Reader) => readReport(order.report, await reportRequest(on, order, false));
  return order.report.consistent === true ? await database.readConsistently(order.ctx, read) : await read(reader);
}

function reportFile({ database }: Deps, reader: Reader, order: ReportOrder, format: string): Promise<RouteResponse> {
  const open = async (on: Reader) => written(await openReport(on, order), format);
  return needsSnapshot(order.report) ? streamedFile(database, order.ctx, open) : open(reader).then(writtenFile);
}

/** The file of a report's content. */
async function written(content: ReportContent, format: string): Promise<OpenFile> {
  const found = findFormat(content.report, format);
  return { type: found.type, name: fileName(content, found), write: await found.begin(content) };
}
