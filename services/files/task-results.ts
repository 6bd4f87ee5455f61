/** Files that tasks have made, and the links to them. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';
import { linkTo } from './links.ts';
import { storeTaskFile } from './task-files.ts';

/** How links to results are made. */
export interface ResultLinks {
  /** The first one signs. */
  readonly keys: EncryptionKeys;
  /** How many days results are kept, and links are good. */
  readonly keepDays: number;
}

const DAY_SECONDS = 86_400;

/** Stores the result of a task. @returns the address of the file, which needs no token as long as the file is kept */
export async function storeResult(
  trx: Db,
  ctx: Context,
  { keys, keepDays }: ResultLinks,
  file: { readonly taskId: string; readonly name: string; readonly contentType: string; readonly content: Uint8Array },
): Promise<string> {
  const fileId = await storeTaskFile(trx, ctx, { kind: 'task_result', ...file });
  const expires = Math.floor(ctx.now.getTime() / 1000) + keepDays * DAY_SECONDS;
  return linkTo(keys, { tenantId: ctx.tenantId, fileId, expires }) ?? `/api/tasks/${file.taskId}/result`;
}

/** The result of a task in JSON, as an answer of the API would be. @param data as JSON */
export function jsonResult(taskId: string, name: string, data: string) {
  const contentType = 'application/json; charset=utf-8';
  return { taskId, name: `${name}.json`, contentType, content: Buffer.from(`{"data":${data}}`) };
}
