/** Starts imports of files too large for a request, as background tasks. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { storeTaskFile } from '../../platform/files/task-files.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import type { ImportOptions } from './import.ts';
import type { TableFile } from './source.ts';

export interface ImportRequest {
  /** Name of the resource in its path: partners. */
  readonly resource: string;
  /** Role of the requester. */
  readonly role: string;
  /** Needed to see what becomes of it. */
  readonly permission: Permission;
  readonly name: string | undefined;
  readonly file: TableFile;
  readonly options: ImportOptions;
}

/** Stores the file and starts a task that imports it. */
export async function startImportTask(trx: Db, ctx: Context, request: ImportRequest): Promise<Task> {
  const { resource, role, permission, name = resource, file, options } = request;
  const message = `Waiting to import ${resource}`;
  const title = `${options.dryRun ? 'Trial import' : 'Import'} of ${resource}`;
  const input = { resource, role, ...options };
  const task = await startTask(trx, ctx, { kind: 'import', permission, input, message, title });
  await storeTaskFile(trx, ctx, {
    taskId: task.id,
    kind: 'task_input',
    name,
    contentType: file.type,
    content: file.content,
  });
  return task;
}
