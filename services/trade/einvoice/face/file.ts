/** The signed file of an invoice that is sent to FACe: made once for each submission, and kept with the invoice. */
import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../../db/context.ts';
import type { Reader } from '../../../../db/database.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { facturae } from '../../../../domain/trade/einvoice/facturae/document.ts';
import type { KeyPair } from '../../../ledger/verifactu/certificate/open.ts';
import type { EncryptionKeys } from '../../../platform/encryption/seal.ts';
import { addAttachment, findAttachment, readContent, storeFile } from '../../../records/attachments/attachments.ts';
import { signedFile, usableCertificate } from '../facturae/file.ts';
import { loadInvoiceData } from '../invoice-data.ts';
import type { FaceDeps } from './deps.ts';
import type { Gateway } from './gateway.ts';
import { type Submission, storeSubmission } from './submissions.ts';

export interface PreparedFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly gateway: Omit<Gateway, 'now'>;
}

/**
 * Signs the invoice and keeps the file; a further try takes the same one.
 * @throws ServiceError invalid_transition (no certificate that is valid, or cancelled meanwhile); validation_failed naming what the invoice
 * lacks; storage_full; unavailable
 */
export async function prepareFile(deps: FaceDeps, ctx: Context, due: Submission): Promise<PreparedFile> {
  const { database, config, encryptionKeys } = deps;
  const pair = await database.readTenant(ctx, (reader) => usableKeyPair(reader, ctx, encryptionKeys));
  const gateway = { config, environment: due.environment, pair };
  const kept = await keptFile(deps, ctx, due);
  if (kept !== null) return { ...kept, gateway };
  const invoice = await database.readTenant(ctx, (reader) => loadInvoiceData(reader, due.documentId));
  const { name, content: text } = signedFile(invoice.number, facturae(invoice), pair, ctx.now);
  const content = Buffer.from(text);
  const subject = { entityType: DOCUMENT_TYPES.SINV.entityType, entityId: due.documentId };
  const stored = await storeFile(deps, ctx, { name: name.replace(/[^\w.-]+/g, '_'), content });
  await database.withTenant(ctx, async (trx) => {
    await addAttachment(trx, ctx, deps, subject, stored);
    await storeSubmission(trx, ctx.now, due, ['waiting'], { fileId: stored.id });
  });
  return { name: stored.name, content, gateway };
}

/** The company's key. @throws ServiceError invalid_transition */
export function usableKeyPair(reader: Reader, ctx: Context, keys: EncryptionKeys): Promise<KeyPair> {
  return usableCertificate(reader, ctx, keys, 'upload one with PUT /api/verifactu/certificate');
}

async function keptFile(
  { database, store }: FaceDeps,
  ctx: Context,
  { fileId }: Submission,
): Promise<Pick<PreparedFile, 'name' | 'content'> | null> {
  if (fileId === null) return null;
  return await database.readTenant(ctx, async (reader) => {
    const found = await findAttachment(reader, fileId);
    if (found === undefined) return null; // Somebody has removed it.
    const content = await readContent(reader, store, found);
    return { name: found.name, content: content instanceof Uint8Array ? content : await buffer(content) };
  });
}
