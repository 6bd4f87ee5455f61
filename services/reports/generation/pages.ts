/** Prints pages that are written already, as tasks that a request waits for. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { storeResult } from '../../platform/files/task-results.ts';
import { assertRunning, endTask } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import type { GenerationDeps } from './generate.ts';
import type { GenerationRun } from './render.ts';

/** A page in HTML, and the name of its file. */
export interface Page {
  readonly html: string;
  readonly name: string;
}

/** Starts a task that prints a page. @param permission needed to read it */
export function startPage(trx: Db, ctx: Context, page: Page, permission: Permission): Promise<Task> {
  const input = { page: { ...page }, format: 'pdf' };
  const title = `Page ${page.name}`;
  const message = `Waiting to print ${page.name}`;
  return startTask(trx, ctx, { kind: 'awaited_report', permission, input, message, title });
}

/** The page that a task prints; undefined if it makes the file of a report. */
export function pageToPrint({ input }: Task): Page | undefined {
  return (input as { readonly page?: Page } | null)?.page;
}

/** Prints a page and ends its task. */
export async function printPage(
  { database, print, links }: Pick<GenerationDeps, 'database' | 'print' | 'links'>,
  { task, ctx, now }: GenerationRun,
  { html, name }: Page,
): Promise<void> {
  const content = await print({ html, footer: '<span></span>' });
  const at: Context = { ...ctx, now: now() };
  await database.withTenant(at, async (trx) => {
    const { url } = await storeResult(trx, at, links, {
      taskId: task.id,
      name,
      contentType: 'application/pdf',
      content,
    });
    assertRunning(await endTask(trx, at, task.id, { message: `The file ${name} is ready`, resultUrl: url }));
  });
}
