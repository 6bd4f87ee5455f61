/** Files written while the client receives them. */
import { PassThrough, type Writable } from 'node:stream';
import type { Context } from '../db/context.ts';
import type { Database, Db } from '../db/database.ts';
import type { RouteResponse } from './route.ts';

/** A file whose first rows have been read. */
export interface OpenFile {
  readonly name: string;
  readonly type: string;
  /** Writes the file and ends the stream. */
  write(output: Writable): Promise<void>;
}

/** Responds with a file whose rows are in memory. */
export function writtenFile(file: OpenFile): RouteResponse {
  const output = new PassThrough();
  file.write(output).catch((error: Error) => output.destroy(error));
  return fileAnswer(file, output);
}

/**
 * Responds with a file from one snapshot. The response starts once `open` has read the first rows, so that an earlier
 * refusal is answered as a problem; later failures break off the stream. The connection is released after the last row,
 * or when the client is gone.
 */
export function streamedFile(
  database: Database,
  ctx: Context,
  open: (db: Db) => Promise<OpenFile>,
): Promise<RouteResponse> {
  const output = new PassThrough();
  return new Promise((answer, refuse) => {
    let started = false;
    database
      .snapshot(ctx, async (db) => {
        const file = await open(db);
        started = true;
        answer(fileAnswer(file, output));
        await file.write(output);
      })
      .catch((error: Error) => {
        if (started) output.destroy(error);
        else refuse(error);
      });
  });
}

function fileAnswer({ type, name }: OpenFile, body: PassThrough): RouteResponse {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': type.startsWith('text/') && !type.includes('charset') ? `${type}; charset=utf-8` : type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  };
}
