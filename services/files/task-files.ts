/** Files of background tasks: what was uploaded for one, and what came of it. They live as long as their task at most. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { notFound } from '../../domain/errors.ts';
import { FILE_COLUMNS, type StoredFile } from './files.ts';

/** What a task was given, or what it made. */
export type TaskFileKind = 'task_input' | 'task_result';

/** The only version of a task's file. */
const VERSION = 1;

/** Keeps a file of a task; one of each kind, the later one counts. */
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
): Promise<void> {
  await trx.raw(
    `insert into files (id, tenant_id, kind, name, content_type, entity_id, entity_version, content, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (tenant_id, kind, entity_id, entity_version)
       do update set name = excluded.name, content_type = excluded.content_type, content = excluded.content`,
    [
      newId(),
      ctx.tenantId,
      file.kind,
      file.name,
      file.contentType,
      file.taskId,
      VERSION,
      Buffer.from(file.content),
      ctx.now.toISOString(),
    ],
  );
}

/** @throws ServiceError not_found */
export async function readTaskFile(db: Db, taskId: string, kind: TaskFileKind): Promise<StoredFile> {
  const { rows } = (await db.raw(`select ${FILE_COLUMNS} from files f where f.entity_id = ? and f.kind = ?`, [
    taskId,
    kind,
  ])) as { rows: StoredFile[] };
  const [file] = rows;
  if (file === undefined) throw notFound('The file');
  return file;
}

/** Removes the files of a task, or those of one kind. */
export async function removeFilesOf(trx: Db, taskId: string, kind?: TaskFileKind): Promise<void> {
  const kinds: TaskFileKind[] = kind === undefined ? ['task_input', 'task_result'] : [kind];
  await trx.raw('delete from files where entity_id = ? and kind = any(?::text[])', [taskId, kinds]);
}
