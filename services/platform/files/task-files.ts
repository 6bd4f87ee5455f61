/** Files of background tasks: uploads and results. They are deleted with their task at the latest. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { findEntityFile, putFile, type StoredFile } from './files.ts';

/** Whether a file was uploaded for a task or produced by it. */
export type TaskFileKind = 'task_input' | 'task_result';

/** Task files have only one version. */
const VERSION = 1;

/** Stores a file of a task, replacing an earlier one of its kind. @returns its id */
export async function storeTaskFile(
  trx: Db,
  ctx: Context,
  file: {
    readonly taskId: string;
    readonly kind: TaskFileKind;
    readonly name: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  },
): Promise<string> {
  const { taskId: entityId, ...rest } = file;
  return await putFile(trx, ctx, { entityId, entityVersion: VERSION, ...rest });
}

/** Reads a file of a task. @throws ServiceError not_found */
export async function readTaskFile(reader: Reader, taskId: string, kind: TaskFileKind): Promise<StoredFile> {
  return await findEntityFile(reader, kind, taskId);
}

/** Deletes the files of a task, or only those of one kind. */
export async function removeTaskFiles(trx: Db, taskId: string, kind?: TaskFileKind): Promise<void> {
  const kinds: TaskFileKind[] = kind === undefined ? ['task_input', 'task_result'] : [kind];
  await trx.raw('delete from files where entity_id = ? and kind = any(?::text[])', [taskId, kinds]);
}
