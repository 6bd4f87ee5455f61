/** The mail log, and sending mails again. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Email } from '../../../db/models/messages/mail.ts';
import { either, type Fragment, fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';
import { runOn } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { MailKind } from '../../../domain/messages/mail/kinds.ts';
import type { Recipient } from '../../../domain/messages/mail/recipients.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { canRead } from '../../platform/visibility/reading.ts';
import { type MailLimits, type NewMail, queueMail } from './queue.ts';

/** A viewer of the log: owners and admins see all mails, others those that they requested and those of documents that they may read. */
export interface MailViewer {
  readonly userId: string | null;
  /** As in `Context`. */
  readonly actor: string | null;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/** Mails, joined with their documents. */
export const MAIL_TABLES = 'emails e left join documents d on d.id = e.document_id';
export const MAIL_COLUMNS = ['e.*', 'd.doc_type', 'd.code as document_code'] as const;

/** Conditions that limit a query of `MAIL_TABLES` to the mails that the viewer may see. */
export function visibleMail({ userId, actor, role, permissions }: MailViewer): Fragment[] {
  if (role === 'owner' || role === 'admin') return [];
  const own = userId === null ? fragment('e.actor = ?', actor) : fragment('e.created_by = ?', userId);
  const types = DOC_TYPES.filter((type) => canRead(permissions, DOCUMENT_TYPES[type].entityType));
  const read = types.length === 0 ? [] : [fragment('d.doc_type = any(?::text[])', types)];
  return [either([own, ...read])];
}

/** Converts a row of `MAIL_COLUMNS` to the form that clients see. */
export function mailToJson({ doc_type: type, document_code: code, ...row }: JsonRow): JsonRow {
  const { documentId, ...shown } = Email.toJson(row);
  return { ...shown, document: type == null ? null : { id: documentId, docType: type, code } };
}

/** Finds a mail. @throws ServiceError not_found, also for mails that the viewer may not see */
export async function findMail(reader: Reader, viewer: MailViewer, id: string): Promise<JsonRow> {
  const found = joined([
    fragment(`select ${MAIL_COLUMNS.join(', ')} from ${MAIL_TABLES}`),
    where([fragment('e.id = ?', id), ...visibleMail(viewer)]),
  ]);
  const [row] = await runOn<JsonRow>(reader, toStatement(found));
  if (row === undefined) throw notFound('The e-mail');
  return row;
}

/** Kinds that cannot be sent again here, with the alternative: their texts contain secrets for one use. */
const ELSEWHERE: Readonly<Partial<Record<MailKind, string>>> = {
  invitation: 'POST /api/invitations/{id}/resend sends it again',
  summary: 'the next one comes tomorrow',
  password_reset: 'the user must request another one',
};

/**
 * Sends a mail again, as a new mail: to the recipients who did not receive it, or to all if everybody did.
 * @returns the new mail
 * @throws ServiceError not_found, stale_version, invalid_transition (still queued, or of a kind that cannot be sent again), forbidden,
 * too_many_requests
 */
export async function resendMail(
  trx: Db,
  ctx: Context,
  limits: MailLimits,
  viewer: MailViewer,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: number | null },
): Promise<JsonRow> {
  const { doc_type: type, ...row } = await findMail(trx, viewer, id);
  const email = fromRow(Email, row);
  assertVersion(email, ifMatch);
  const elsewhere = ELSEWHERE[email.kind];
  if (elsewhere !== undefined)
    throw new ServiceError('invalid_transition', `This mail cannot be sent again here: ${elsewhere}`);
  if (email.status === 'queued') {
    throw new ServiceError('invalid_transition', 'This mail cannot be sent again because it is still queued');
  }
  assertMaySend(viewer, type);
  const missed = email.recipients.filter(({ status }) => status !== 'sent');
  const { kind, subject, text, html, documentId, attachDocument, attachments, entityId } = email;
  const again = await queueMail(trx, ctx, limits, {
    kind,
    ...recipientsAgain(missed.length > 0 ? missed : email.recipients),
    subject,
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    ...(documentId === null ? {} : { documentId }),
    attachDocument,
    attachments: attachments.map((fileId) => ({ fileId })),
    ...(entityId === null ? {} : { entityId }),
  });
  return await findMail(trx, { ...viewer, role: 'owner' }, again.id);
}

/** Recipients of a mail that is sent again; one that only copies missed is addressed to the first of them. */
function recipientsAgain(recipients: readonly Recipient[]): Pick<NewMail, 'to' | 'cc' | 'bcc'> {
  const named = (kind: Recipient['as']) => recipients.flatMap(({ address, as }) => (as === kind ? [address] : []));
  const [to, cc, bcc] = [named(undefined), named('cc'), named('bcc')];
  if (to.length === 0) return { to: [...cc, ...bcc].slice(0, 1), ...(cc.length > 1 ? { cc: cc.slice(1) } : {}) };
  return { to, ...(cc.length > 0 ? { cc } : {}), ...(bcc.length > 0 ? { bcc } : {}) };
}

/** Asserts that the viewer may send the document. @throws ServiceError forbidden */
function assertMaySend({ permissions }: MailViewer, docType: unknown): void {
  const type = DOC_TYPES.find((one) => one === docType);
  if (type === undefined || permissions.has(`${DOCUMENT_TYPES[type].resource}:update`)) return;
  throw new ServiceError('forbidden', `This requires ${DOCUMENT_TYPES[type].resource}:update`);
}
