/** Mails of invitations: what they say is made when they go, because only the mail may hold the token. */

import type { Config } from '../../config/index.ts';
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Email } from '../../db/models/emails.ts';
import { Invitation, Tenant, User } from '../../db/models/identity.ts';
import { query } from '../../db/sql.ts';
import { invitationText } from '../../domain/identity/invitation-text.ts';
import { formatsFor } from '../../domain/locale/formats.ts';
import { mailLanguage } from '../../domain/mail/names.ts';
import type { Content, MailKind, Prepared } from '../mail/kinds.ts';
import { queueEmail } from '../mail/queue.ts';
import { asHtml } from '../mail/render.ts';
import { loadSettings } from '../settings/settings.ts';
import { mailToken } from './mail-tokens.ts';
import { hashSecret } from './secrets.ts';

const DAY_MS = 86_400_000;
/** The most mails that one address gets in a day, whichever companies invite it; further ones wait. */
const MAX_MAILS = 20;
const WAIT_SECONDS = 3600;

/** Queues the mail of an invitation. Its id is `mailId`, from which its token derives. */
export async function queueInvitation(trx: Db, ctx: Context, invitation: Invitation): Promise<void> {
  const { id, mailId, email, invitedBy, expiresAt } = invitation;
  const { subject } = await textOf(trx, invitation, '', '');
  await queueEmail(trx, { ...ctx, userId: invitedBy ?? ctx.userId }, null, {
    id: mailId,
    kind: 'invitation',
    to: email,
    subject,
    entityId: id,
    giveUpAt: new Date(expiresAt),
  });
}

export interface InvitationMailed {
  /** Whether its mail is on its way. */
  readonly sent: boolean;
  /** As an earlier release answered. */
  readonly waitSeconds: 0;
}

/** Queues the mail of an invitation of an earlier release, unless it was sent, settled or has expired meanwhile. May be repeated. */
export async function queueInvitationMail(database: Database, ctx: Context, id: string): Promise<InvitationMailed> {
  return await database.withTenant(ctx, async (trx) => {
    const invitation = await Invitation.query(trx).findById(id).forUpdate();
    if (invitation === undefined || !isDue(invitation, ctx.now)) return { sent: false, waitSeconds: 0 };
    const queued = await query(trx, 'select id from emails where id = :mailId', { mailId: invitation.mailId });
    if (queued.length === 0) await queueInvitation(trx, ctx, invitation);
    return { sent: true, waitSeconds: 0 };
  });
}

/** What the service tells its invitees with. */
export function invitationMails({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailKind {
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      const invitation = await database.readTenant(ctx, async (db) =>
        Invitation.query(db).findOne({ id: String(email.entityId), mail_id: email.id }),
      );
      if (invitation === undefined || !isDue(invitation, ctx.now)) return { goes: false, reason: OVER };
      if (await isFlooded(database, invitation.email, ctx.now)) {
        return { goes: 'later', reason: 'The address gets too many invitations', seconds: WAIT_SECONDS };
      }
      const token = mailToken(encryptionKey, 'inv_', email.id);
      return await database.withTenant(ctx, async (trx): Promise<Prepared> => {
        if (!(await recordMail(trx, email, { tokenHash: hashSecret(token) }))) return { goes: false, reason: OVER };
        return { goes: true, content: await textOf(trx, invitation, `${appUrl}/invitations#${token}`, token) };
      });
    },
    async taken(trx, ctx, email) {
      await recordMail(trx, email, { mailedAt: ctx.now.toISOString() });
    },
  };
}

const OVER = 'The invitation was answered, withdrawn or sent again, or has expired';

function isDue({ status, mailedAt, expiresAt }: Invitation, now: Date): boolean {
  return status === 'pending' && mailedAt === null && Date.parse(expiresAt) > now.getTime();
}

async function textOf(trx: Db, invitation: Invitation, link: string, token: string): Promise<Content> {
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
  return { subject, text, html: asHtml(text) };
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

async function isFlooded(database: Database, email: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const [sent] = await database.withSystem((trx) =>
    query<{ n: number }>(
      trx,
      'select count(*)::int as n from invitations where lower(email) = lower(:email) and mailed_at > :since::timestamptz',
      { email, since },
    ),
  );
  return (sent?.n ?? 0) >= MAX_MAILS;
}
