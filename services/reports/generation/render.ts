/** Parts shared by the files that tasks make: bytes within the limit, and progress while rows are read. */
import { PassThrough } from 'node:stream';
import type { Context } from '../../../db/context.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { percentDone } from '../../../domain/platform/tasks.ts';
import type { ContentTable, ReportContent } from '../engine/content.ts';
import type { Report } from '../engine/declaration.ts';
import { findFormat } from '../engine/formats.ts';
import { hasPeriod } from '../engine/size.ts';

/** The task that a file is for. */
export interface GenerationRun {
  readonly task: Task;
  readonly ctx: Context;
  readonly now: () => Date;
  report(progress: number, message: string): Promise<void>;
  throwIfCancelled(): void;
}

/** Maximum size of a file, in bytes. */
export const MAX_BYTES = 100 * 2 ** 20;

/** Writes a file that needs no printer. @throws ServiceError invalid_parameter if it is larger than 100 MB */
export async function renderBytes(content: ReportContent, format: string): Promise<Uint8Array> {
  const output = new PassThrough();
  const write = await findFormat(content.report, format).begin(content);
  const [, bytes] = await Promise.all([write(output), collected(output, content.report)]);
  return bytes;
}

async function collected(output: PassThrough, report: Report): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of output) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) {
      const instead = hasPeriod(report) ? 'choose a shorter period' : 'get it as csv at once, which has no limit';
      throw new ServiceError('invalid_parameter', `The file would be larger than 100 MB; ${instead}`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Wraps the content, so that reading it reports progress to the task, and stops when that is cancelled.
 * @param share the percentages at its beginning and end
 */
export function counted(
  content: ReportContent,
  run: GenerationRun,
  [least, most]: readonly [number, number],
): ReportContent {
  const { pagination } = content.view.data as { pagination?: { total: number } };
  const total = pagination?.total ?? 0;
  let done = 0;
  const follow = (table: ContentTable): ContentTable => ({ ...table, rows: followed(table.rows) });
  async function* followed(rows: ContentTable['rows']) {
    for await (const batch of rows) {
      run.throwIfCancelled();
      yield batch;
      done += batch.length;
      const read = percentDone(done, Math.max(total, done));
      await run.report(Math.floor(least + (read * (most - least)) / 100), `${done} rows read`);
    }
  }
  return { ...content, tables: content.tables.map(follow) };
}
