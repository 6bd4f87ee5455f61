/** Mails that the service sends: what they say, to whom, and what became of them. */
import type { DocType } from '../../domain/documents/types.ts';
import type { Language } from '../../domain/locale/formats.ts';
import type { EmailKind, EmailStatus } from '../../domain/mail/kinds.ts';
import type { Recipient } from '../../domain/mail/recipients.ts';
import type { JsonRow } from './base.ts';
import { flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { versionedTable } from './table.ts';

export class Email extends versionedTable('emails', {
  kind: text<EmailKind>(),
  /** All recipients, separated by commas. */
  addressees: text(),
  subject: text(),
  status: text<EmailStatus>(),
  /** Who has not got it, and why. */
  error: optional(text()),
  recipients: json<readonly Recipient[]>(),
  /** Null where it is made when the mail goes, because it holds secrets. */
  text: optional(text()),
  html: optional(text()),
  /** Ids of files. */
  attachments: json<readonly string[]>(),
  documentId: optional(uuid()),
  /** Whether it carries the document's PDF. */
  attachDocument: flag(),
  /** What else it is about: an invitation. */
  entityId: optional(uuid()),
  /** How often a server was asked to take it. */
  tries: integer(),
  giveUpAt: instant(),
  createdBy: optional(uuid()),
  /** Who asked for it if it was no user, as in the audit log. */
  actor: optional(text()),
  /** When a server first took it. */
  sentAt: optional(instant()),
}) {
  static override entityType = 'Email';
  static override hidden: readonly string[] = [
    'tenantId',
    'text',
    'html',
    'attachments',
    'entityId',
    'attachDocument',
    'giveUpAt',
    'actor',
  ];

  static override toJson(row: JsonRow): JsonRow {
    const { addressees, ...shown } = super.toJson(row);
    return { ...shown, to: addressees };
  }
}

/** How a company words the mails with a type of documents in a language. */
export class EmailTemplate extends versionedTable('email_templates', {
  docType: text<DocType>(),
  language: text<Language>(),
  subject: text(),
  body: text(),
  /** The HTML part; without one it follows from the text. */
  bodyHtml: optional(text()),
}) {
  static override entityType = 'EmailTemplate';
}
