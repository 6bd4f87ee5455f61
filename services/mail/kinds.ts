/** What is special of some kinds of mails. Rooms that know more than mails provide it. */
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Email } from '../../db/models/emails.ts';
import type { EmailKind } from '../../domain/mail/kinds.ts';

/** What a mail says that is not stored with it. */
export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** Where recipients end such mails by one click (RFC 8058); of mails to one person. */
  readonly unsubscribe?: string;
}

export type Prepared =
  | { readonly goes: true; readonly content?: Content }
  /** For good, with the reason. */
  | { readonly goes: false; readonly reason: string }
  /** Not now. */
  | { readonly goes: 'later'; readonly reason: string; readonly seconds: number };

export interface MailKind {
  /** Called before each try: whether the mail is still wanted, and what it says. */
  prepare?(database: Database, ctx: Context, email: Email): Promise<Prepared>;
  /** Called once, when a server first took it, in the transaction that records that. */
  taken?(trx: Db, ctx: Context, email: Email, to: readonly string[]): Promise<void>;
}

export type MailKinds = Readonly<Partial<Record<EmailKind, MailKind>>>;
