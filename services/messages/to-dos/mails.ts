/** Mails that ask for an approval, to each of those who may answer. Their links are written when they are sent. */
import type { Config } from '../../../config/index.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { ToDo } from '../../../db/models/messages/to-dos.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { approvalSubject, approvalText } from '../../../domain/messages/mail/approval-text.ts';
import { isAssigned } from '../../../domain/messages/to-dos.ts';
import { writeInstant } from '../../../domain/records/tables/times.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { MailHandler, Prepared } from '../mail/handlers.ts';
import { type MailLimits, queueMail } from '../mail/queue.ts';
import { oneLine, textToHtml } from '../mail/render.ts';
import type { Recipient } from '../notifications/recipients.ts';
import { answerLink } from './links.ts';
import { findMember } from './members.ts';

const NOT_ASKED = 'The approval is no longer open, or its reader is no longer asked';

/** Queues a mail to each member who is asked. @throws ServiceError too_many_requests */
export async function queueApprovalMails(
  trx: Db,
  ctx: Context,
  limits: MailLimits,
  toDo: ToDo,
  recipients: readonly Recipient[],
): Promise<void> {
  const languages = new Map(recipients.map(({ userId, formats }) => [userId, formats.language]));
  const ids = [...languages.keys()];
  const sql = 'select id, email from users where id = any(:ids::uuid[]) order by id';
  for (const { id, email } of await query<{ id: string; email: string }>(trx, sql, { ids })) {
    const { title, documentId, dueAt } = toDo;
    await queueMail(trx, ctx, limits, {
      kind: 'approval',
      to: email,
      subject: oneLine(approvalSubject({ title, language: languages.get(id) ?? 'en' })),
      entityId: toDo.id,
      ...(documentId === null ? {} : { documentId }),
      ...(dueAt === null ? {} : { giveUpAt: new Date(dueAt) }),
    });
  }
}

/** Handles mails for approvals: writes the link into the mail when it is sent. */
export function approvalMails({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandler {
  const keys = encryptionKey === undefined ? [] : [encryptionKey];
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      return await database.readTenant(ctx, async (db): Promise<Prepared> => {
        const toDo = await findRow(db, ToDo, { id: String(email.entityId) });
        const member = await findMember(db, { address: email.addressees });
        const isAsked = toDo?.status === 'open' && member !== undefined && isAssigned(toDo, member);
        if (!isAsked) return { goes: false, reason: NOT_ASKED };
        const { name: companyName } = await loadSettings(db, 'company');
        const format = await loadSettings(db, 'format');
        const { language } = formatsFor(format, member.locale);
        const link = appUrl + answerLink(keys, { tenantId: ctx.tenantId, toDoId: toDo.id, userId: member.userId });
        const { title, body, dueAt } = toDo;
        const until = dueAt === null ? '' : writeInstant(dueAt, format);
        const text = approvalText({ companyName, title, body, link, until, language });
        return { goes: true, content: { subject: email.subject, text, html: textToHtml(text) } };
      });
    },
  };
}
