/** Mails invitations, once each: a retry after a crash sends the identical mail, or finds that it was sent. */
import type { Database } from '../../db/database.ts';
import { Invitation, Tenant, User } from '../../db/models/identity.ts';
import { query } from '../../db/sql.ts';
import { invitationText } from '../../domain/identity/invitation-text.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { invitationToken } from './invitation-tokens.ts';
import { hashSecret } from './secrets.ts';

const DAY_MS = 86_400_000;
/** The most mails that one address gets in a day, whichever companies invite it; further ones wait. */
const MAX_MAILS = 20;
const WAIT_SECONDS = 3600;

export interface InvitationMailDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly encryptionKey: string | undefined;
  /** Public address of the service. */
  readonly appUrl: string;
}

export interface InvitationMailed {
  readonly sent: boolean;
  /** Seconds until the next try; 0 when nothing is left to do. */
  readonly waitSeconds: number;
}

/** Sends the mail of an invitation, unless it was sent, settled or has expired meanwhile. */
export async function mailInvitation(
  deps: InvitationMailDeps,
  which: { readonly tenantId: string; readonly invitationId: string },
  now: Date,
): Promise<InvitationMailed> {
  const { database, mailer } = deps;
  const invitation = await database.readTenant(which, async (db) => Invitation.query(db).findById(which.invitationId));
  if (invitation === undefined || !isDue(invitation, now)) return { sent: false, waitSeconds: 0 };
  if (await isFlooded(database, invitation.email, now)) return { sent: false, waitSeconds: WAIT_SECONDS };
  const mail = await prepare(deps, invitation);
  if (mail === null) return { sent: false, waitSeconds: 0 };
  await mailer.send(mail, now);
  await recordMail(database, invitation, { mailedAt: now.toISOString() });
  return { sent: true, waitSeconds: 0 };
}

function isDue({ status, mailedAt, expiresAt }: Invitation, now: Date): boolean {
  return status === 'pending' && mailedAt === null && Date.parse(expiresAt) > now.getTime();
}

/** The mail with its token; null when a later mail has replaced it. */
async function prepare(deps: InvitationMailDeps, invitation: Invitation): Promise<Mail | null> {
  const { database, encryptionKey, appUrl } = deps;
  const { mailId, email, invitedBy, expiresAt, locale } = invitation;
  const token = invitationToken(encryptionKey, mailId);
  if (!(await recordMail(database, invitation, { tokenHash: hashSecret(token) }))) return null;
  const { company, inviter } = await database.readTenant(invitation, async (db) => ({
    company: await Tenant.query(db).findById(invitation.tenantId).throwIfNotFound(),
    inviter: invitedBy === null ? undefined : await User.query(db).findById(invitedBy),
  }));
  const spanish = /^es\b/i.test(locale ?? (company.country === 'ES' ? 'es' : 'en'));
  const recorded = invitationText({
    companyName: company.name,
    invitedBy: inviter?.name ?? null,
    link: `${appUrl}/invitations#${token}`,
    token,
    until: expiresAt.slice(0, 10),
    language: spanish ? 'es' : 'en',
  });
  return { id: mailId, to: email, ...recorded };
}

/** Records the outcome of a mail, without a new version or event. @returns whether it is still the invitation's latest mail */
async function recordMail(
  database: Database,
  { tenantId, id, mailId }: Invitation,
  values: Partial<Pick<Invitation, 'mailedAt' | 'tokenHash'>>,
): Promise<boolean> {
  const written = await database.withTenant(
    { tenantId },
    async (trx) => await Invitation.query(trx).where({ id, mail_id: mailId, status: 'pending' }).patch(values),
  );
  return written > 0;
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
