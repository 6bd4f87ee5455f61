/** A mail as nodemailer takes it. */
import type { SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../../config/mail.ts';
import { shortName } from '../../domain/mail/names.ts';
import type { Mail } from './mailer.ts';

/**
 * Loaded when the first mail goes: many workers never send one.
 * @returns the library
 */
export async function nodemailer(): Promise<typeof import('nodemailer')> {
  return await import('nodemailer');
}

/**
 * Everything that the server gets. The same mail has the same Message-ID and date, so that a repetition can be told from another mail. Only
 * what is named here goes into the head, each on one line.
 */
export function composed(mail: Mail, from: MailConfig['from']): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${mail.id}@${domain}>`,
    date: mail.queuedAt,
    from: { name: shortName(mail.senderName ?? from.name), address: from.address },
    to: mail.to.map((address) => ({ name: '', address })),
    ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    envelope: { from: from.address, to: [...mail.recipients] },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: mail.attachments.map(({ name, contentType, content }) => ({ filename: name, contentType, content })),
    // Programs that answer mails by themselves do not answer these (RFC 3834, section 5).
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribed(mail) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** RFC 2369 and RFC 8058, for which the server's DKIM signature should cover both. */
function unsubscribed({ unsubscribe }: Mail): Record<string, string> {
  if (unsubscribe === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
