/** Reads what the stand-ins are sent. */
import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 16 * 1024 * 1024;

/** The whole body as text. @throws Error if it is longer than 16 MiB */
export async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the message is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
