/** The mails of an API without a worker: delivered by the service itself, kept in memory. */
import type { Database } from '../../db/database.ts';
import type { Answer } from '../../domain/messages/mail/recipients.ts';
import { type Delivered, deliverMail } from '../../services/messages/mail/deliver.ts';
import type { MailHandlers } from '../../services/messages/mail/handlers.ts';
import type { Mail } from '../../services/messages/mail/mailer.ts';
import type { MailPace } from '../../services/messages/mail/pacing.ts';
import { storeDocumentPdf } from '../../services/platform/files/files.ts';
import { mailHandlers } from '../../worker/mail-handlers.ts';
import type { TestApp } from './app.ts';
import { ENCRYPTION_KEY } from './worker.ts';

export type SentMail = Omit<Mail, 'to'> & { readonly to: string; readonly outcome: Delivered };

/** A server's answer for one recipient; it accepts the mail by default. */
export type Says = (address: string, mail: Mail) => Omit<Answer, 'address'>;
const TAKES: Says = () => ({ said: 'taken', reason: '' });

interface Sender {
  readonly database: Database;
  readonly kinds?: MailHandlers;
  readonly pace?: MailPace;
}

export const PACE = { recipientsPerHour: 500, perAddressPerDay: 200 };
const KINDS = mailHandlers({ encryptionKey: ENCRYPTION_KEY, appUrl: 'https://erp.example.test' });

/** Tries each queued mail once. Documents have PDFs that say nothing. @returns what was handed to the server */
export async function deliverMails({ database, kinds = KINDS, pace = PACE }: Sender, now: Date, says: Says = TAKES) {
  const mails: SentMail[] = [];
  const { rows } = await database.withSystem((trx) =>
    trx.raw(`select id, tenant_id, attach_document, document_id from emails where status = 'queued' order by id`),
  );
  for (const { id: emailId, tenant_id: tenantId, attach_document: attaches, document_id: documentId } of rows) {
    const ctx = { tenantId, userId: null, actor: 'test', requestId: 'test', now };
    const handed: Mail[] = [];
    const mailer = {
      async send(mail: Mail) {
        handed.push(mail);
        return mail.recipients.map((address) => ({ address, ...says(address, mail) }));
      },
    };
    const pdfId = attaches === true ? await emptyPdf(database, ctx, documentId) : undefined;
    const outcome = await deliverMail({ database, mailer, kinds, pace, now: () => now }, ctx, { emailId, pdfId });
    mails.push(...handed.map((mail) => ({ ...mail, to: mail.to.join(', '), outcome })));
  }
  return mails;
}

async function emptyPdf(database: Database, ctx: Parameters<typeof storeDocumentPdf>[1], documentId: string) {
  return await database.withTenant(ctx, async (trx) => {
    const found = await trx('documents').where({ id: documentId }).first('version');
    if (found === undefined) return undefined;
    const file = { documentId, version: Number(found.version), name: 'document.pdf', content: Buffer.from('%PDF-1.7') };
    return await storeDocumentPdf(trx, ctx, file);
  });
}

/** Sends the pending mails and returns them. */
export async function sendMails(app: TestApp): Promise<SentMail[]> {
  return await deliverMails({ database: app.database, kinds: mailHandlers(app.deps.config) }, app.clock.now);
}

/** Sends all pending mails and returns the token of the one to the address. */
export async function mailedToken(app: TestApp, to: string): Promise<string> {
  const mails = (await sendMails(app)).filter((mail) => mail.to === to);
  if (mails.length !== 1) throw new Error(`${mails.length} mails to ${to} instead of one`);
  return linkToken(mails[0] as SentMail);
}

function linkToken({ text }: SentMail): string {
  return /#((?:inv|pwd)_[\w-]+)/.exec(text)?.[1] ?? '';
}
