/** Converts a mail to nodemailer's format. */
import type { SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../../../config/mail.ts';
import { shortName } from '../../../domain/messages/mail/names.ts';
import type { Mail } from './mailer.ts';

/**
 * Loads nodemailer when the first mail is sent: many workers never send one.
 */
export async function loadNodemailer(): Promise<typeof import('nodemailer')> {
  return await import('nodemailer');
}

/**
 * Composes the whole message. A mail keeps its Message-ID and date when it is sent again, so that receivers recognise the duplicate. Only
 * the members named here become headers, each on one line.
 */
export function composeMessage(mail: Mail, from: MailConfig['from']): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${mail.id}@${domain}>`,
    date: mail.queuedAt,
    from: { name: shortName(mail.senderName ?? from.name), address: from.address },
    to: mail.to.map((address) => ({ name: '', address })),
    ...(mail.cc.length === 0 ? {} : { cc: mail.cc.map((address) => ({ name: '', address })) }),
    ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    envelope: { from: from.address, to: [...mail.recipients] },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: mail.attachments.map(({ name, contentType, content }) => ({ filename: name, contentType, content })),
    // Keeps automatic responders from answering (RFC 3834, section 5), those of Exchange as well.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...unsubscribeHeaders(mail) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Headers of RFC 2369 and RFC 8058; the server's DKIM signature should cover both. */
function unsubscribeHeaders({ unsubscribe }: Mail): Record<string, string> {
  if (unsubscribe === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
