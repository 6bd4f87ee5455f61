/** The log of mails, and sending them again. */
import type { Context } from '../../db/context.ts';
import type { Db, Reader } from '../../db/database.ts';
import { fromRow, type JsonRow } from '../../db/models/base.ts';
import { Email } from '../../db/models/emails.ts';
import { either, type Fragment, fragment, joined, statementOf, where } from '../../db/queries/fragments.ts';
import { runOn } from '../../db/sql.ts';
import { assertVersion } from '../../db/write.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { notFound, ServiceError } from '../../domain/errors.ts';
import type { EmailKind } from '../../domain/mail/kinds.ts';
import { type MailLimits, queueEmail } from './queue.ts';

/** Who may see which mails: owner and admin all, everybody those that they asked for and those of documents that they may read. */
export interface MailViewer {
  readonly userId: string | null;
  /** As in `Context`. */
  readonly actor: string | null;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/** Mails with the documents that they are about. */
export const EMAILS_FROM = 'emails e left join documents d on d.id = e.document_id';
export const EMAIL_COLUMNS = ['e.*', 'd.doc_type', 'd.code as document_code'] as const;

/** A condition that limits a query of `EMAILS_FROM` to what the viewer may see. */
export function visibleTo({ userId, actor, role, permissions }: MailViewer): Fragment[] {
  if (role === 'owner' || role === 'admin') return [];
  const own = userId === null ? fragment('e.actor = ?', actor) : fragment('e.created_by = ?', userId);
  const types = DOC_TYPES.filter((type) => permissions.has(`${DOCUMENT_TYPES[type].resource}:read`));
  const read = types.length === 0 ? [] : [fragment('d.doc_type = any(?::text[])', types)];
  return [either([own, ...read])];
}

/** A mail as clients see it, by a row of `EMAIL_COLUMNS`. */
export function emailToJson({ doc_type: type, document_code: code, ...row }: JsonRow): JsonRow {
  const { documentId, ...shown } = Email.toJson(row);
  return { ...shown, document: type == null ? null : { id: documentId, docType: type, code } };
}

/** @throws ServiceError not_found, also for mails that the viewer may not see */
export async function findEmail(reader: Reader, viewer: MailViewer, id: string): Promise<JsonRow> {
  const found = joined([
    fragment(`select ${EMAIL_COLUMNS.join(', ')} from ${EMAILS_FROM}`),
    where([fragment('e.id = ?', id), ...visibleTo(viewer)]),
  ]);
  const [row] = await runOn<JsonRow>(reader, statementOf(found));
  if (row === undefined) throw notFound('The e-mail');
  return row;
}

/** Mails whose senders are asked instead: they hold secrets of one mail. */
const ELSEWHERE: Readonly<Partial<Record<EmailKind, string>>> = {
  invitation: 'POST /api/invitations/{id}/resend sends it again',
  summary: 'the next one comes tomorrow',
  password_reset: 'whoever wants to reset their password asks for another',
};

/**
 * Sends a mail again, as another mail: to those who have not got it, or to all if everybody has.
 * @returns the new mail
 * @throws ServiceError not_found, stale_version, invalid_transition (still queued, or a mail that cannot be repeated), forbidden,
 * too_many_requests
 */
export async function resendEmail(
  trx: Db,
  ctx: Context,
  limits: MailLimits,
  viewer: MailViewer,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: number | null },
): Promise<JsonRow> {
  const { doc_type: type, ...row } = await findEmail(trx, viewer, id);
  const email = fromRow(Email, row);
  assertVersion(email, ifMatch);
  const elsewhere = ELSEWHERE[email.kind];
  if (elsewhere !== undefined)
    throw new ServiceError('invalid_transition', `It cannot be sent again here: ${elsewhere}`);
  if (email.status === 'queued') {
    throw new ServiceError('invalid_transition', 'It cannot be sent again because it is still queued');
  }
  assertMaySend(viewer, type);
  const missed = email.recipients.filter(({ status }) => status !== 'sent');
  const { kind, subject, text, html, documentId, attachDocument, attachments, entityId } = email;
  const again = await queueEmail(trx, ctx, limits, {
    kind,
    to: (missed.length > 0 ? missed : email.recipients).map(({ address }) => address),
    subject,
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    ...(documentId === null ? {} : { documentId }),
    attachDocument,
    attachments: attachments.map((fileId) => ({ fileId })),
    ...(entityId === null ? {} : { entityId }),
  });
  return await findEmail(trx, { ...viewer, role: 'owner' }, again.id);
}

/** Whoever may send a document may send it again. @throws ServiceError forbidden */
function assertMaySend({ permissions }: MailViewer, docType: unknown): void {
  const type = DOC_TYPES.find((one) => one === docType);
  if (type === undefined || permissions.has(`${DOCUMENT_TYPES[type].resource}:update`)) return;
  throw new ServiceError('forbidden', `This requires ${DOCUMENT_TYPES[type].resource}:update`);
}
