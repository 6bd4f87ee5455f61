/** Reports the outcome of a mail to the person who requested it. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { resultText } from '../../../domain/messages/mail/result-text.ts';
import { notifyUser } from '../notifications/notify.ts';

/** Notifies the user who requested the mail; programs are not notified. */
export async function notifyResult(trx: Db, ctx: Context, email: Email): Promise<void> {
  const { id, createdBy, documentId } = email;
  if (createdBy === null) return;
  await notifyUser(trx, ctx, createdBy, 'email_status', {
    ...resultText(email, 'en'),
    es: resultText(email, 'es'),
    metadata: { email_id: id, ...(documentId === null ? {} : { document_id: documentId }) },
    actionUrl: `/api/emails/${id}`,
  });
}
