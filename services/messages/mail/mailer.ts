/** Interface to a mail server, or to files in its place. */
import type { Answer } from '../../../domain/messages/mail/recipients.ts';

export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface Mail {
  /** A UUID; a mail sent again under the same id is the same mail, with the same Message-ID. */
  readonly id: string;
  /** The sending company's name; null for the service's own. */
  readonly senderName: string | null;
  /** Address for replies. */
  readonly replyTo: string | null;
  /** Whom the mail is addressed to, as its header shows them. */
  readonly to: readonly string[];
  /** Who get a copy that its header shows. */
  readonly cc: readonly string[];
  /** The recipients who have not received it yet. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** One-click unsubscribe link (RFC 8058). */
  readonly unsubscribe?: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly queuedAt: Date;
}

export interface Mailer {
  /**
   * Hands a mail over. May be repeated for the same mail.
   * @returns the answer for each recipient
   */
  send(mail: Mail, signal?: AbortSignal): Promise<readonly Answer[]>;
}
