/** Imports large files as tasks: rows of a resource, or bank statements. */
import { percentDone } from '../../domain/platform/tasks.ts';
import { importForTask } from '../../services/bank/statements/import-task.ts';
import { isLongWorkSlotFree } from '../../services/platform/tasks/share.ts';
import { importInParts, importWhole, isInParts, openImport } from '../../services/records/imports/background.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure } from '../failures.ts';
import { type ResultDeps, runTask, type TaskRun } from '../platform/tasks.ts';

export interface ImportActivities {
  /** Imports a part of the file, or all of it if parts cannot be committed separately. */
  importPart(input: TaskInput): Promise<TaskPart>;
}

/** Pause between checks of the company's slot for long work, for each import ahead of this one. */
const LOOK_MS = 2000;
const MAX_LOOK_MS = 60_000;

export function createImportActivities(deps: ResultDeps): ImportActivities {
  return {
    async importPart(input) {
      let waitMs: number | undefined;
      const outcome = await failing(() =>
        runTask(deps, input, async (run) => {
          run.throwIfCancelled();
          if (run.task.kind === 'statements') await statements(deps, run);
          else waitMs = await rows(deps, run);
        }),
      );
      if (outcome !== null) return { more: false, outcome };
      return { more: true, ...(waitMs === undefined ? {} : { waitMs }) };
    },
  };
}

/** Imports rows. @returns the time to wait for the company's slot for long work; undefined if something was done */
async function rows(deps: ResultDeps, run: TaskRun): Promise<number | undefined> {
  if (isInParts(run.task)) {
    await inParts(deps, run);
    return undefined;
  }
  const { free, before } = await isLongWorkSlotFree(deps.database, run.ctx, run.task);
  if (free && (await whole(deps, run))) return undefined;
  return Math.min(MAX_LOOK_MS, LOOK_MS * (before + 1));
}

async function inParts(
  { database, links }: ResultDeps,
  { task, ctx, now, report, turnIsOver }: TaskRun,
): Promise<void> {
  const work = await openImport(database, ctx, now, { task, links });
  await importInParts(database, work, rowProgress(work.total, report), turnIsOver);
}

async function whole({ database, links }: ResultDeps, { task, ctx, now, report }: TaskRun): Promise<boolean> {
  const work = await openImport(database, ctx, now, { task, links });
  return importWhole(database, work, rowProgress(work.total, report), true);
}

function rowProgress(total: number, report: TaskRun['report']) {
  return ({ rows: done }: { readonly rows: number }) => report(percentDone(done, total), `${listed(done, total)} rows`);
}

async function statements(
  { database, links }: ResultDeps,
  { task, ctx, now, report, turnIsOver }: TaskRun,
): Promise<void> {
  const written = (done: number, total: number) => report(percentDone(done, total), `${listed(done, total)} lines`);
  await importForTask(database, ctx, now, { task, links }, written, turnIsOver);
}

function listed(done: number, total: number): string {
  return [done, total].map((count) => count.toLocaleString('en-US')).join(' of ');
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asActivityFailure(error);
  }
}
