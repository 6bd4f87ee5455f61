/** Mails that the service sends, with their recipients and outcome. */

import type { Language } from '../../../domain/locale/formats.ts';
import type { MailKind, MailStatus } from '../../../domain/messages/mail/kinds.ts';
import type { Recipient } from '../../../domain/messages/mail/recipients.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import type { JsonRow } from '../base.ts';
import { flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Email extends versionedTable('emails', {
  kind: text<MailKind>(),
  /** All recipients, separated by commas. */
  addressees: text(),
  subject: text(),
  status: text<MailStatus>(),
  /** The recipients who did not receive it, and why. */
  error: optional(text()),
  recipients: json<readonly Recipient[]>(),
  /** Null if the text contains secrets and is therefore written when the mail is sent. */
  text: optional(text()),
  html: optional(text()),
  /** Ids of files. */
  attachments: json<readonly string[]>(),
  documentId: optional(uuid()),
  /** Whether the document's PDF is attached. */
  attachDocument: flag(),
  /** Another record that it is about, such as an invitation. */
  entityId: optional(uuid()),
  /** Number of tries to hand it to a server. */
  tries: integer(),
  giveUpAt: instant(),
  createdBy: optional(uuid()),
  /** The actor that requested it in place of a user, as in the audit log. */
  actor: optional(text()),
  /** Time at which a server first accepted it. */
  sentAt: optional(instant()),
}) {
  static override entityType = 'Email';
  static override access = 'own' as const;
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

/** A company's template for mails with a type of document in a language. */
export class EmailTemplate extends versionedTable('email_templates', {
  docType: text<DocType>(),
  language: text<Language>(),
  subject: text(),
  body: text(),
  /** The HTML part; derived from the text if null. */
  bodyHtml: optional(text()),
}) {
  static override entityType = 'EmailTemplate';
  static override access = 'config:read' as const;
}
