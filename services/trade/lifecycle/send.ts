/** Sends documents by e-mail, with their PDF. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';
import { invalidMember } from '../../../domain/errors.ts';
import type { MailStatus } from '../../../domain/messages/mail/kinds.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { type MailLimits, queueMail } from '../../messages/mail/queue.ts';
import { type ActionOptions, loadForAction } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { substitution } from '../documents/substitution.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { loadMailDocument } from '../mail-templates/view.ts';
import { issued } from '../quotations/issue.ts';
import { attachedFiles } from './attached-files.ts';
import { documentMail } from './document-mail.ts';

export interface Sending {
  /** One or several addresses, separated by commas; defaults to the partner's. */
  readonly to?: string;
  /** Who get a copy that all see. */
  readonly cc?: string;
  /** Who get a copy that nobody else sees. */
  readonly bcc?: string;
  /** Ids of files that are attached to the document, to be sent with it. */
  readonly attachments?: readonly string[];
  /** Whether the PDF is attached; it is unless told otherwise. */
  readonly attachPdf?: boolean;
  /** Default to the company's template. */
  readonly subject?: string;
  readonly body?: string;
  /** By whose limit the mail goes; defaults to that of mails that people send. */
  readonly kind?: 'document' | 'recurring';
  /** Makes the link by which a quotation is answered; null for none. */
  readonly link?: (document: LoadedDocument) => string | null;
}

export type SentDocument = DocumentAnswer & { readonly email: { readonly id: string; readonly status: MailStatus } };

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
  {
    to,
    cc,
    bcc,
    subject,
    body,
    attachments = [],
    attachPdf = true,
    kind = 'document',
    link,
    ...options
  }: Sending & ActionOptions,
  limits: MailLimits = { recipientsPerHour: 0 },
): Promise<SentDocument> {
  const found = await loadForAction(trx, ctx, documentId, 'send', options);
  // A quotation is issued by sending it; other drafts cannot be sent.
  const document = found.row.status === DOCUMENT_STATUS.draft ? await issued(trx, ctx, found) : found;
  const { full } = document;
  // A mail says what the paper does: of an invoice that was exchanged, the full one; of a substitution, what it states.
  const stated = substitution(document)?.stated ?? document;
  const row = full === null ? stated.row : { ...stated.row, code: full.code, date: full.date };
  const partner = await findRow(trx, Partner, { id: full?.partnerId ?? row.partner.id });
  const addresses = to ?? partner?.email ?? '';
  if (addresses === '') throw invalidMember('/to', 'required', 'is required: the partner has no e-mail address');
  const { name } = full?.recipient ?? row.partner;
  const mailed = await loadMailDocument(trx, ctx, { ...stated, row }, link?.(document) ?? null);
  const recipient = { ...partner, name, language: partner?.language ?? null };
  const content = await documentMail(trx, ctx, mailed, recipient, { subject, body });
  const { id, status } = await queueMail(trx, ctx, limits, {
    kind,
    to: addresses,
    ...(cc === undefined ? {} : { cc }),
    ...(bcc === undefined ? {} : { bcc }),
    ...content,
    documentId,
    attachDocument: attachPdf,
    attachments: await attachedFiles(trx, documentId, attachments),
  });
  return { ...documentAnswer(document), email: { id, status } };
}
