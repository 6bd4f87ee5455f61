/** What takes mails: a mail server, or files in its place. */
import type { Answer } from '../../domain/mail/recipients.ts';

export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface Mail {
  /** A UUID; a mail sent again under the same id is the same mail, and has the same Message-ID. */
  readonly id: string;
  /** The company in whose name it goes; the service's own name without one. */
  readonly senderName: string | null;
  /** Where answers go. */
  readonly replyTo: string | null;
  /** All recipients, as the head of the mail shows them. */
  readonly to: readonly string[];
  /** Those who do not have it yet. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** Where the recipient ends such mails by one click (RFC 8058). */
  readonly unsubscribe?: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly queuedAt: Date;
}

export interface Mailer {
  /**
   * Hands a mail over. May be repeated for the same mail.
   * @returns what became of it for each of the recipients
   */
  send(mail: Mail, signal?: AbortSignal): Promise<readonly Answer[]>;
}
