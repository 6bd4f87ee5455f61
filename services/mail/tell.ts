/** Tells who asked for a mail what became of it. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import type { Email } from '../../db/models/emails.ts';
import { resultText } from '../../domain/mail/result-text.ts';
import { notifyUser } from '../notifications/notify.ts';

/** Notifies the user who asked for it, if it was one. */
export async function tellResult(trx: Db, ctx: Context, email: Email): Promise<void> {
  const { id, createdBy, documentId } = email;
  if (createdBy === null) return;
  await notifyUser(trx, ctx, createdBy, 'email_status', {
    ...resultText(email, 'en'),
    es: resultText(email, 'es'),
    metadata: { email_id: id, ...(documentId === null ? {} : { document_id: documentId }) },
    actionUrl: `/api/emails/${id}`,
  });
}
