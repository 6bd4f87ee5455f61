/** Handlers for kinds of mails that need more than sending; other rooms provide them. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import type { MailKind } from '../../../domain/messages/mail/kinds.ts';

/** Content of a mail that is not stored with it. */
export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** One-click unsubscribe link (RFC 8058); only for mails to one person. */
  readonly unsubscribe?: string;
}

export type Prepared =
  | { readonly goes: true; readonly content?: Content }
  /** Never, for the given reason. */
  | { readonly goes: false; readonly reason: string }
  /** Not now. */
  | { readonly goes: 'later'; readonly reason: string; readonly seconds: number };

export interface MailHandler {
  /** Called before each try: decides whether the mail is still wanted and supplies its content. */
  prepare?(database: Database, ctx: Context, email: Email): Promise<Prepared>;
  /** Called once, when a server first accepts the mail, in the transaction that records it. */
  accepted?(trx: Db, ctx: Context, email: Email, to: readonly string[]): Promise<void>;
}

export type MailHandlers = Readonly<Partial<Record<MailKind, MailHandler>>>;
