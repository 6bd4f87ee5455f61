/** Facturae of issued invoices, signed with the company's certificate. */
import type { Context } from '../../../../db/context.ts';
import type { Reader } from '../../../../db/database.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { facturae } from '../../../../domain/trade/einvoice/facturae/document.ts';
import type { Node } from '../../../../domain/xml.ts';
import { loadKeyPair } from '../../../ledger/verifactu/certificate/certificate.ts';
import type { KeyPair } from '../../../ledger/verifactu/certificate/open.ts';
import type { EncryptionKeys } from '../../../platform/encryption/seal.ts';
import { loadInvoiceData } from '../invoice-data.ts';
import { facturaeText, signFacturae } from './sign.ts';

/** An invoice as a file. */
export interface InvoiceFile {
  readonly name: string;
  readonly content: string;
}

/**
 * Writes an invoice as Facturae 3.2.2.
 * @param keys to sign it with the company's certificate; null leaves it unsigned
 * @throws ServiceError not_found; invalid_transition (not posted, or no certificate that is valid); validation_failed naming what it lacks
 */
export async function facturaeFile(
  db: Reader,
  ctx: Context,
  documentId: string,
  keys: EncryptionKeys | null,
): Promise<InvoiceFile> {
  const invoice = await loadInvoiceData(db, documentId);
  const document = facturae(invoice);
  if (keys === null) return { name: `${invoice.number}.xml`, content: facturaeText(document) };
  const instead = 'upload one with PUT /api/verifactu/certificate, or ask for signed=false';
  const pair = await usableCertificate(db, ctx, keys, instead);
  return signedFile(invoice.number, document, pair, ctx.now);
}

/** A document as the file that public bodies take. @param number of the invoice */
export function signedFile(number: string, document: Node, pair: KeyPair, now: Date): InvoiceFile {
  return { name: `${number}.xsig`, content: signFacturae(document, pair, now) };
}

/** The company's key with its certificates. @param instead what to do where there is none @throws ServiceError invalid_transition */
export async function usableCertificate(
  db: Reader,
  { tenantId, now }: Context,
  keys: EncryptionKeys,
  instead: string,
): Promise<KeyPair> {
  const pair = await loadKeyPair(db, tenantId, keys);
  if (pair === null)
    throw new ServiceError('invalid_transition', `The company has no certificate to sign with; ${instead}`);
  if (new Date(pair.validUntil) <= now)
    throw new ServiceError('invalid_transition', `The certificate ended on ${pair.validUntil}; ${instead}`);
  return pair;
}
