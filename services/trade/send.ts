/** Sends documents by e-mail, with their PDF. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Partner } from '../../db/models/master-data.ts';
import { findRow } from '../../db/queries/find.ts';
import { invalidMember } from '../../domain/errors.ts';
import type { EmailStatus } from '../../domain/mail/kinds.ts';
import { type ActionOptions, loadFor } from '../documents/read.ts';
import { answerOf, type DocumentAnswer } from '../documents/to-json.ts';
import { type MailLimits, queueEmail } from '../mail/queue.ts';
import { documentMail } from './document-mail.ts';

export interface Sending {
  /** One or several addresses, separated by commas; defaults to the partner's. */
  readonly to?: string;
  /** Default to the company's template. */
  readonly subject?: string;
  readonly body?: string;
}

export type SentDocument = DocumentAnswer & { readonly email: { readonly id: string; readonly status: EmailStatus } };

/**
 * Queues the mail with a document. The document becomes sent when the mail server has taken it (`sent.ts`), and is not changed before.
 * @param limits of the company; none unless given
 * @returns the document as its GET returns it, and the mail
 * @throws ServiceError not_found, stale_version, invalid_transition, validation_failed (no or invalid address, line breaks in the head),
 * too_many_requests
 */
export async function sendDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  { to, subject, body, ...options }: Sending & ActionOptions,
  limits: MailLimits | null = null,
): Promise<SentDocument> {
  const document = await loadFor(trx, ctx, documentId, 'send', options);
  const { row } = document;
  const partner = await findRow(trx, Partner, { id: row.partner.id });
  const addresses = to ?? partner?.email ?? '';
  if (addresses === '') throw invalidMember('/to', 'required', 'is required: the partner has no e-mail address');
  const { name } = row.partner;
  const content = await documentMail(trx, row, { name, language: partner?.language ?? null }, { subject, body });
  const { id, status } = await queueEmail(trx, ctx, limits, {
    kind: 'document',
    to: addresses,
    ...content,
    documentId,
    attachDocument: true,
  });
  return { ...answerOf(document), email: { id, status } };
}
