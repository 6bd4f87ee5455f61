/** Mails of invitations. Their text is written when they are sent, because only the mail may contain the token. */

import type { Config } from '../../../config/index.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Invitation, Tenant, User } from '../../../db/models/access/access.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { invitationText } from '../../../domain/access/invitations/invitation-text.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { mailLanguage } from '../../../domain/messages/mail/names.ts';
import type { Content, MailHandler, Prepared } from '../../messages/mail/handlers.ts';
import { queuePacedMail } from '../../messages/mail/queue.ts';
import { textToHtml } from '../../messages/mail/render.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { mailToken } from '../sessions/mail-tokens.ts';
import { hashSecret } from '../sessions/secrets.ts';

/** Queues the mail of an invitation. Its id is `mailId`, from which the token is derived. */
export async function queueInvitation(trx: Db, ctx: Context, invitation: Invitation): Promise<void> {
  const { id, mailId, email, invitedBy, expiresAt } = invitation;
  const { subject } = await writeMail(trx, invitation, '', '');
  await queuePacedMail(
    trx,
    { ...ctx, userId: invitedBy ?? ctx.userId },
    {
      id: mailId,
      kind: 'invitation',
      to: email,
      subject,
      entityId: id,
      giveUpAt: new Date(expiresAt),
    },
  );
}

/** Handles invitation mails: writes the token into the mail when it is sent. */
export function invitationMailHandler({
  encryptionKey,
  appUrl,
}: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandler {
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      const invitation = await database.readTenant(ctx, async (db) =>
        Invitation.query(db).findOne({ id: String(email.entityId), mail_id: email.id }),
      );
      if (invitation === undefined || !isDue(invitation, ctx.now)) return { goes: false, reason: NOT_OPEN };
      const token = mailToken(encryptionKey, 'inv_', email.id);
      return await database.withTenant(ctx, async (trx): Promise<Prepared> => {
        if (!(await recordMail(trx, email, { tokenHash: hashSecret(token) }))) return { goes: false, reason: NOT_OPEN };
        return { goes: true, content: await writeMail(trx, invitation, `${appUrl}/invitations#${token}`, token) };
      });
    },
    async accepted(trx, ctx, email) {
      await recordMail(trx, email, { mailedAt: ctx.now.toISOString() });
    },
  };
}

const NOT_OPEN = 'The invitation was answered, withdrawn or sent again, or has expired';

function isDue({ status, mailedAt, expiresAt }: Invitation, now: Date): boolean {
  return status === 'pending' && mailedAt === null && Date.parse(expiresAt) > now.getTime();
}

async function writeMail(trx: Db, invitation: Invitation, link: string, token: string): Promise<Content> {
  const { tenantId, invitedBy, expiresAt, locale } = invitation;
  const company = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const inviter = invitedBy === null ? undefined : await User.query(trx).findById(invitedBy);
  const language = mailLanguage(locale, company.country);
  const formats = formatsFor(await loadSettings(trx, 'format'), language);
  const { subject, text } = invitationText({
    companyName: company.name,
    invitedBy: inviter?.name ?? null,
    link,
    token,
    until: formats.day(expiresAt.slice(0, 10)),
    language,
  });
  return { subject, text, html: textToHtml(text) };
}

/** Records the outcome of a mail, without a new version or event. @returns whether it is still the invitation's latest mail */
async function recordMail(
  trx: Db,
  { id, entityId }: Email,
  values: Partial<Pick<Invitation, 'mailedAt' | 'tokenHash'>>,
): Promise<boolean> {
  const latest = { id: String(entityId), mail_id: id, status: 'pending' };
  return (await Invitation.query(trx).where(latest).patch(values)) > 0;
}
