/** Marks documents as sent; the e-mail follows from the event. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Partner } from '../../db/models/master-data.ts';
import { isEmail } from '../../domain/email.ts';
import { invalidMember } from '../../domain/errors.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadFor } from '../documents/read.ts';
import { answerOf, type DocumentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { keepDocumentPdf } from '../files/files.ts';

export interface Sending {
  /** One or several addresses, separated by commas; defaults to the partner's. */
  readonly to?: string;
  readonly subject?: string;
  readonly body?: string;
}

const MOST_ADDRESSES = 20;

/**
 * Marks a document as sent, by `document.sent`. Sending does not change the document itself: it may be in a closed period, and keeps its
 * PDF.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition, validation_failed (no or invalid address)
 */
export async function sendDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  { to, subject, body, ...options }: Sending & ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadFor(trx, documentId, 'send', options);
  const { row } = document;
  const addresses = addressesOf(to ?? (await emailOf(trx, row.partner.id)));
  const sent = { ...document, row: changedRow(ctx, row, { sentAt: ctx.now.toISOString() }) };
  const mail = {
    to: addresses,
    ...(subject === undefined ? {} : { subject }),
    ...(body === undefined ? {} : { body }),
  };
  const changes = new Changes(ctx);
  const event = documentEvent('document.sent', sent.row, { fields: ['sentAt'], sent: mail });
  const shown = changeDocument(changes, document, sent, event);
  changes.afterwards((trx) => keepDocumentPdf(trx, row.id, row.version));
  await changes.write(trx);
  return answerOf(sent, shown);
}

/** Normalizes the addresses for an e-mail. */
function addressesOf(to: string): string {
  const addresses = to
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  if (addresses.length === 0) {
    throw invalidMember('/to', 'required', 'is required: the partner has no e-mail address');
  }
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) throw invalidMember('/to', 'format', `"${wrong}" is not an e-mail address`);
  if (addresses.length > MOST_ADDRESSES) {
    throw invalidMember('/to', 'too_many', `must name at most ${MOST_ADDRESSES} addresses`);
  }
  return addresses.join(', ');
}

async function emailOf(trx: Db, partnerId: string): Promise<string> {
  const partner = await Partner.query(trx).findById(partnerId);
  return partner?.email ?? '';
}
