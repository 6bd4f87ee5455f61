/** Stores files produced by tasks, and links to them. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';
import { linkTo } from './links.ts';
import { storeTaskFile } from './task-files.ts';

/** Keys and lifetime of links to results. */
export interface ResultLinks {
  /** The first one signs. */
  readonly keys: EncryptionKeys;
  /** Days for which results are kept and their links are valid. */
  readonly keepDays: number;
}

const DAY_SECONDS = 86_400;

/** A stored result. */
export interface StoredResult {
  readonly fileId: string;
  /** A link without a token that is valid as long as the file is kept; null if links cannot be signed. */
  readonly link: string | null;
  /** The link, or otherwise an address that requires a token. */
  readonly url: string;
}

/** Stores the result of a task. */
export async function storeResult(
  trx: Db,
  ctx: Context,
  { keys, keepDays }: ResultLinks,
  file: { readonly taskId: string; readonly name: string; readonly contentType: string; readonly content: Uint8Array },
): Promise<StoredResult> {
  const fileId = await storeTaskFile(trx, ctx, { kind: 'task_result', ...file });
  const expires = Math.floor(ctx.now.getTime() / 1000) + keepDays * DAY_SECONDS;
  const link = linkTo(keys, { tenantId: ctx.tenantId, fileId, expires });
  return { fileId, link, url: link ?? `/api/tasks/${file.taskId}/result` };
}

/** Builds the result of a task as JSON, in the form of an API answer. @param data as JSON */
export function jsonResult(taskId: string, name: string, data: string) {
  const contentType = 'application/json; charset=utf-8';
  return { taskId, name: `${name}.json`, contentType, content: Buffer.from(`{"data":${data}}`) };
}
