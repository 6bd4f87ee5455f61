/** Makes files of reports in the background, as tasks. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { recordScheduleFailure, recordScheduleSuccess, type ScheduleRun } from '../../messages/incidents/schedules.ts';
import type { MailLimits } from '../../messages/mail/queue.ts';
import { notifyUser } from '../../messages/notifications/notify.ts';
import { type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { findLogo } from '../../platform/settings/logo.ts';
import { assertRoom } from '../../platform/storage/budget.ts';
import { assertRunning, endTask } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import type { Printable } from '../../trade/pdf/render.ts';
import { openReport, type ReportContent } from '../engine/content.ts';
import { permissionFor, type Values } from '../engine/declaration.ts';
import { type Drawing, pictures } from '../engine/drawings.ts';
import { fileName, findFormat, type ReportFormat } from '../engine/formats.ts';
import { mailReport } from '../engine/mail-report.ts';
import { renderReport } from '../engine/paper.ts';
import type { ReportOrder } from '../engine/request.ts';
import { readFileSet } from './file-set.ts';
import { counted, type GenerationRun, renderBytes } from './render.ts';
import { findReport } from './reports.ts';

/** The file that a task generates. */
export interface GenerationInput {
  readonly report: string;
  readonly params: Values;
  readonly format: string;
  /** Whether columns are named by members. */
  readonly names: boolean;
  /** Whether success is notified; failure always is. */
  readonly notify: boolean;
  /** The schedule that requested it. */
  readonly schedule?: ScheduleRun;
  /** Addresses that receive the file by e-mail. */
  readonly recipients?: readonly string[];
}

/**
 * Starts a task that makes the file.
 * @param awaited whether a request is waiting for it
 * @param id of the task
 */
export async function startGeneration(
  trx: Db,
  ctx: Context,
  input: GenerationInput,
  awaited: boolean,
  id?: string,
): Promise<Task> {
  const report = findReport(input.report);
  const permission = (await report.discretion?.(trx, ctx)) ?? permissionFor(report);
  return await startTask(trx, ctx, {
    ...(id === undefined ? {} : { id }),
    kind: awaited ? 'awaited_report' : 'report',
    permission,
    personal: report.personal === true,
    input: { ...input },
    message: `Waiting to make the report ${input.report}`,
    title: `Report ${input.report} as ${input.format}`,
  });
}

export interface GenerationDeps {
  readonly database: Database;
  /** Prints the page, with the company's logo. */
  print(page: Printable): Promise<Uint8Array>;
  /** Draws a PNG; null after drawing has failed, so that the workbook has no pictures. */
  readonly draw: ((drawing: Drawing) => Promise<Uint8Array>) | null;
  /** Loads the company's logo as a data URI; null if it has none that can be printed. */
  loadLogo(
    tenantId: string,
    logo: { readonly bytes: Uint8Array | null; readonly url: string | null },
  ): Promise<string | null>;
  readonly links: ResultLinks;
  readonly mail: MailLimits;
  /** Public address of the service. */
  readonly appUrl: string;
}

/** A report that was read for a task, and what remains to be done without the snapshot. */
interface Made {
  readonly content: ReportContent;
  bytes(): Promise<Uint8Array>;
}

/**
 * Makes the file and ends the task, in one transaction.
 * @throws ServiceError if the report cannot be made; storage_full, except for files that a request waits for
 */
export async function generate(deps: GenerationDeps, run: GenerationRun): Promise<void> {
  const { task, ctx } = run;
  const input = task.input as unknown as GenerationInput;
  if (task.kind !== 'awaited_report') await deps.database.readTenant(ctx, (db) => assertRoom(db, 'budget'));
  const report = findReport(input.report);
  // What a program asked for is read with its rights, not with those of the workflow.
  const asker = { ...ctx, actor: task.actor ?? ctx.actor };
  const order = { report, params: input.params, ctx: asker, format: input.format, names: input.names };
  const made = await deps.database.snapshot(ctx, (db) => read(deps, db, run, order));
  const bytes = await made.bytes();
  run.throwIfCancelled();
  await finish(deps, run, { bytes, content: made.content, format: findFormat(report, input.format) });
}

/** Whether a task prints by itself, after it has read: others take their turn for the whole of it. */
export function printsLater({ input }: Task): boolean {
  const { format } = input as unknown as Pick<GenerationInput, 'format'>;
  return format === 'pdf' || format === 'zip';
}

/** Reads the report from a snapshot, and makes what needs no printer. */
async function read(deps: GenerationDeps, db: Db, run: GenerationRun, order: Ordered): Promise<Made> {
  const { report, format } = order;
  const content = await openReport(db, order);
  if (format === 'zip' && report.fileSet !== undefined) {
    const logo = await logoFor(deps, db, content);
    const print = await readFileSet(db, { order, set: report.fileSet, content, logo }, run);
    return { content, bytes: () => print(deps.print) };
  }
  if (format === 'pdf') {
    const page = await renderReport(counted(content, run, [0, 60]), await logoFor(deps, db, content));
    return {
      content,
      async bytes() {
        await run.report(60, 'Printing');
        return await deps.print(page);
      },
    };
  }
  const drawn = format === 'excel' && deps.draw !== null ? await pictures(content, deps.draw) : [];
  const bytes = await renderBytes(counted({ ...content, pictures: drawn }, run, [0, 95]), format);
  return { content, bytes: async () => bytes };
}

type Ordered = ReportOrder & Required<Pick<ReportOrder, 'format'>>;

/** The company's logo as a data URI. */
async function logoFor(deps: GenerationDeps, db: Db, { view }: ReportContent): Promise<string | null> {
  const { branding, company } = view.settings;
  const uploaded = branding.logo === undefined && company.logo === undefined ? undefined : await findLogo(db);
  const url = branding.logoUrl || company.logoUrl || null;
  return await deps.loadLogo(view.ctx.tenantId, { bytes: uploaded?.content ?? null, url });
}

async function finish(
  { database, links, mail, appUrl }: GenerationDeps,
  run: GenerationRun,
  file: {
    readonly bytes: Uint8Array;
    readonly content: ReportContent;
    readonly format: ReportFormat;
  },
): Promise<void> {
  const { task } = run;
  const ctx: Context = { ...run.ctx, now: run.now() };
  const { report, notify, schedule, recipients = [] } = task.input as unknown as GenerationInput;
  const name = fileName(file.content, file.format);
  // A link without a token would be for everybody who has it.
  const signed = findReport(report).personal === true ? { ...links, keys: [] } : links;
  await database.withTenant(ctx, async (trx) => {
    const result = { taskId: task.id, name, contentType: file.format.type, content: file.bytes };
    const { fileId, link, url: resultUrl } = await storeResult(trx, ctx, signed, result);
    assertRunning(await endTask(trx, ctx, task.id, { message: `The file ${name} is ready`, resultUrl }));
    if (schedule !== undefined) await recordScheduleSuccess(trx, ctx, schedule);
    if (recipients.length > 0) {
      const delivered = { id: fileId, name, bytes: file.bytes.length };
      const shown = link === null ? null : new URL(link, appUrl).href;
      const { language } = file.content.view;
      const title = schedule?.name ?? findReport(report).title[language];
      const address = schedule?.address ?? `/api/tasks/${task.id}`;
      await mailReport(trx, ctx, mail, { to: recipients, title, address, file: delivered, link: shown, language });
    }
    if (notify && task.createdBy !== null) {
      await notifyUser(trx, ctx, task.createdBy, 'task_completed', {
        title: 'Your report is ready',
        body: name,
        metadata: { task_id: task.id },
        actionUrl: resultUrl,
        actionLabel: 'Download',
        es: { title: 'Su informe está listo', body: name, actionLabel: 'Descargar' },
      });
    }
  });
}

/** Notifies the requester that a report failed, and counts the failure for its schedule. */
export async function notifyFailure(trx: Db, ctx: Context, task: Task, reason: string): Promise<void> {
  if (task.type !== 'report') return;
  const { report = 'PDF', schedule } = task.input as unknown as Partial<GenerationInput>;
  if (schedule !== undefined) await recordScheduleFailure(trx, ctx, schedule, reason);
  if (task.createdBy === null) return;
  await notifyUser(trx, ctx, task.createdBy, 'task_completed', {
    title: 'Your report could not be made',
    body: `${report}: ${reason}`,
    metadata: { task_id: task.id },
    actionUrl: `/api/tasks/${task.id}`,
    actionLabel: 'Show',
    es: {
      title: 'No se ha podido hacer su informe',
      body: `${report}: ${translate(reason, 'es')}`,
      actionLabel: 'Ver',
    },
  });
}
