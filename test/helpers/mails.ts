/** The mails of an API without a worker: written by the service itself, kept in memory. */
import { mailInvitation } from '../../services/identity/invitation-mail.ts';
import type { Mail } from '../../services/mail/mailer.ts';
import type { TestApp } from './app.ts';

/** Sends what is to be mailed now, and gives it. */
export async function mailsOf(app: TestApp): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = {
    async send(mail: Mail) {
      mails.push(mail);
    },
  };
  const { encryptionKey, appUrl } = app.deps.config;
  const { rows } = await app.database.withSystem((trx) =>
    trx.raw(`select tenant_id as "tenantId", id as "invitationId" from invitations order by id`),
  );
  for (const which of rows) {
    await mailInvitation({ database: app.database, mailer, encryptionKey, appUrl }, which, app.clock.now);
  }
  return mails;
}

/** The token of the mail that is to be sent to an address now; others are sent too. */
export async function mailedToken(app: TestApp, to: string): Promise<string> {
  const mails = (await mailsOf(app)).filter((mail) => mail.to === to);
  if (mails.length !== 1) throw new Error(`${mails.length} mails to ${to} instead of one`);
  return tokenOf(mails[0] as Mail);
}

function tokenOf({ text }: Mail): string {
  return /#(inv_[\w-]+)/.exec(text)?.[1] ?? '';
}
