/** How mails are sent. */
export interface Mail {
  /** A UUID; a mail sent again under the same id is the same mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** May be repeated for the same mail. @throws Error when it cannot be sent now */
  send(mail: Mail, now: Date): Promise<void>;
}
