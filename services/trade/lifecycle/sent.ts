/** Records the outcome of mails with documents. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { isAllowed } from '../../../domain/trade/documents/transitions.ts';
import type { MailHandler, Prepared } from '../../messages/mail/handlers.ts';
import { keepDocumentPdf } from '../../platform/files/files.ts';
import { documentEvent } from '../documents/events.ts';
import { loadDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { changeDocument, changedRow } from '../documents/write.ts';

export const documentMails: MailHandler = {
  /** Stops the mail if the document was cancelled or deleted in the meantime. */
  async prepare(database: Database, ctx: Context, { documentId }: Email): Promise<Prepared> {
    const document = await database.readTenant(ctx, (db) => findDocument(db, String(documentId)));
    if (document === undefined) return { goes: false, reason: 'The document was deleted' };
    const { docType, status } = document.row;
    return isAllowed(docType, status, 'send') ? { goes: true } : { goes: false, reason: 'The document was cancelled' };
  },

  /** Sending does not change the document itself: it may be in a closed period, and keeps its PDF. */
  async accepted(trx: Db, ctx: Context, email: Email, to: readonly string[]): Promise<void> {
    const document = await findDocument(trx, String(email.documentId));
    if (document === undefined) return; // Deleted while the mail went.
    const { row } = document;
    const asked = { ...ctx, userId: email.createdBy ?? ctx.userId, actor: email.createdBy === null ? ctx.actor : null };
    const sent = { ...document, row: changedRow(ctx, row, { sentAt: sentAfter(row.sentAt, ctx.now) }) };
    const changes = new Changes(asked);
    const event = documentEvent('document.sent', sent.row, {
      fields: ['sentAt'],
      sent: { to: to.join(', '), subject: email.subject, ...(email.text === null ? {} : { body: email.text }) },
    });
    changeDocument(changes, document, sent, event);
    changes.follow(keepDocumentPdf, { documentId: row.id, version: row.version });
    await changes.write(trx);
  },
};

/** Keeps the time from going back: of two mails in transit, the first to be accepted may be recorded last. */
function sentAfter(before: string | null, now: Date): string {
  return new Date(Math.max(now.getTime(), before === null ? 0 : Date.parse(before) + 1)).toISOString();
}

async function findDocument(db: Db, id: string): Promise<LoadedDocument | undefined> {
  try {
    return await loadDocument(db, id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}
