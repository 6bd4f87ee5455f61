/** Opens a supplier's invoice, whatever its format: XML, or a PDF with XML in it. */
import { invalidMember } from '../../../../domain/errors.ts';
import { RunEnded, runInThread, threadModule } from '../../../platform/threads/threads.ts';
import type { OpenedInvoice, Unopened } from './open-thread.ts';

/** Files of 10 MiB take a second on a busy machine. */
const DEADLINE_MS = 5000;
const THREAD = threadModule(import.meta.url, './open-thread');

/**
 * Opens a file. Takes a moment, so call it without a connection.
 * @throws ServiceError validation_failed saying what the file is; too_many_requests
 */
export async function openInvoice(tenantId: string, content: Uint8Array): Promise<OpenedInvoice> {
  const opened = await inThread(tenantId, content);
  if ('problem' in opened) throw invalidMember('', 'invalid_format', `The file ${opened.problem}`);
  if (opened.signature.state === 'invalid')
    throw invalidMember(
      '',
      'invalid_signature',
      'The file was changed after it was signed; ask the supplier for it anew',
    );
  return opened;
}

async function inThread(tenantId: string, content: Uint8Array): Promise<OpenedInvoice | Unopened> {
  try {
    return await runInThread<Uint8Array, OpenedInvoice | Unopened>(tenantId, THREAD, content, DEADLINE_MS);
  } catch (error) {
    if (error instanceof RunEnded) return { problem: 'takes too long to read' };
    throw error;
  }
}
