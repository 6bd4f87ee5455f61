/**
 * Delivers a queued mail: asks the server once, and records what it said of each recipient. Who has it is recorded in the same transaction
 * as its consequences. Where that is lost after the server's answer, the mail goes again with the same Message-ID.
 */
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { Email } from '../../db/models/emails.ts';
import { findRow } from '../../db/queries/find.ts';
import { prepared } from '../../db/sql.ts';
import type { EmailStatus } from '../../domain/mail/kinds.ts';
import { type Answer, answered, errorOf, statusOf } from '../../domain/mail/recipients.ts';
import { pauseAfter } from '../../domain/mail/retries.ts';
import { FILE_COLUMNS, type FileRow, type StoredFile, storedFile } from '../files/files.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Content, MailKinds } from './kinds.ts';
import type { Mail, Mailer } from './mailer.ts';
import { tellResult } from './tell.ts';

export interface DeliveryDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly kinds: MailKinds;
  /** A server may take minutes to answer. */
  readonly now: () => Date;
}

export type Delivered =
  /** Settled, now or before; `gone` when there is no such mail. */
  | { readonly outcome: 'sent' | 'failed' | 'gone' }
  | { readonly outcome: 'later'; readonly seconds: number; readonly reason: string }
  /** The document's PDF was deleted meanwhile, and must be made again. */
  | { readonly outcome: 'no_pdf' };

/** The most bytes that are attached to a mail. */
export const MOST_ATTACHED = 20 * 1024 * 1024;

/** One try. @param which.pdfId the file of the document's PDF, where the mail carries it */
export async function deliverEmail(
  deps: DeliveryDeps,
  ctx: Context,
  which: { readonly emailId: string; readonly pdfId?: string | undefined },
  signal?: AbortSignal,
): Promise<Delivered> {
  const { database, mailer, kinds } = deps;
  const email = await findRow(database.reader(ctx), Email, { id: which.emailId });
  if (email === undefined) return { outcome: 'gone' };
  if (email.status !== 'queued') return { outcome: email.status };
  const kind = kinds[email.kind];
  const state = (await kind?.prepare?.(database, ctx, email)) ?? { goes: true as const };
  if (state.goes === 'later') return await postponed(deps, ctx, email, state);
  if (state.goes === false) return await giveUpEmail(deps, ctx, email.id, state.reason, { tells: false });
  const attached = await attachmentsOf(database, ctx, email, which.pdfId);
  if (attached === 'no_pdf') return { outcome: 'no_pdf' };
  if (typeof attached === 'string') return await giveUpEmail(deps, ctx, email.id, attached);
  const mail = await mailOf(database, ctx, email, state.content, attached);
  const answers = await mailer.send(mail, signal);
  return await record(deps, { ...ctx, now: deps.now() }, email.id, answers);
}

/** Ends a mail that nobody is to get any more, with the reason. */
export async function giveUpEmail(
  deps: Pick<DeliveryDeps, 'database' | 'kinds'>,
  ctx: Context,
  emailId: string,
  reason: string,
  { tells = true } = {},
): Promise<Delivered> {
  return await deps.database.withTenant(ctx, async (trx) => {
    const email = await locked(trx, emailId);
    if (email?.status !== 'queued') return { outcome: email?.status ?? 'gone' };
    const answers = email.recipients.map(({ address }): Answer => ({ address, said: 'refused', reason }));
    const outcome = await settle(trx, ctx, email, { answers, ends: true, tries: email.tries });
    if (tells) await tellResult(trx, ctx, outcome);
    return { outcome: outcome.status as 'sent' | 'failed' };
  });
}

async function record(
  deps: DeliveryDeps,
  ctx: Context,
  emailId: string,
  answers: readonly Answer[],
): Promise<Delivered> {
  return await deps.database.withTenant(ctx, async (trx) => {
    const email = await locked(trx, emailId);
    if (email?.status !== 'queued') return { outcome: email?.status ?? 'gone' };
    const tries = email.tries + 1;
    const seconds = pauseAfter(tries);
    const ends = Date.parse(email.giveUpAt) <= ctx.now.getTime() + seconds * 1000;
    const after = await settle(trx, ctx, email, { answers, ends, tries });
    const got = answers.filter(({ said }) => said === 'taken').map(({ address }) => address);
    if (email.sentAt === null && got.length > 0) await deps.kinds[email.kind]?.taken?.(trx, ctx, after, got);
    if (after.status === 'queued') return { outcome: 'later', seconds, reason: after.error ?? '' };
    await tellResult(trx, ctx, after);
    return { outcome: after.status };
  });
}

async function postponed(
  deps: DeliveryDeps,
  ctx: Context,
  email: Email,
  { reason, seconds }: { readonly reason: string; readonly seconds: number },
): Promise<Delivered> {
  if (Date.parse(email.giveUpAt) <= ctx.now.getTime()) return await giveUpEmail(deps, ctx, email.id, reason);
  return { outcome: 'later', seconds, reason };
}

/** Nobody else records an answer until the transaction ends. */
async function locked(trx: Db, id: string): Promise<Email | undefined> {
  return await Email.query(trx).findById(id).forUpdate();
}

/** Writes what became of the recipients. It is no change of a person's, so that the audit log has only who asked for the mail. */
async function settle(
  trx: Db,
  ctx: Context,
  email: Email,
  { answers, ends, tries }: { readonly answers: readonly Answer[]; readonly ends: boolean; readonly tries: number },
): Promise<Email> {
  const now = ctx.now.toISOString();
  const recipients = answered(email.recipients, answers, ends);
  const status: EmailStatus = statusOf(recipients);
  const isTaken = recipients.some((recipient) => recipient.status === 'sent');
  const sentAt = email.sentAt ?? (isTaken ? now : null);
  const error = errorOf(recipients);
  await prepared(trx, SETTLE, {
    id: email.id,
    recipients: JSON.stringify(recipients),
    status,
    error,
    tries,
    sentAt,
    now,
  });
  return Object.assign(new Email(), email, { recipients, status, error, tries, sentAt });
}

const SETTLE = `
  update emails set recipients = :recipients::jsonb, status = :status, error = :error, tries = :tries::integer,
    sent_at = :sentAt::timestamptz, updated_at = :now::timestamptz, version = version + 1
  where id = :id`;

/** What the mail carries; `no_pdf` when that of its document must be made, else why it cannot go. */
async function attachmentsOf(
  database: Database,
  ctx: Context,
  { attachments, attachDocument }: Email,
  pdfId: string | undefined,
): Promise<readonly StoredFile[] | 'no_pdf' | string> {
  if (attachDocument && pdfId === undefined) return 'no_pdf';
  const ids = [...(attachDocument && pdfId !== undefined ? [pdfId] : []), ...attachments];
  if (ids.length === 0) return [];
  const reader = database.reader(ctx);
  const [size] = await prepared<{ bytes: number }>(reader, SIZE, { ids });
  if ((size?.bytes ?? 0) > MOST_ATTACHED) return 'The attachments are too large for a mail: more than 20 MiB';
  const files = (await prepared<FileRow>(reader, FILES, { ids })).map(storedFile);
  const found = ids.flatMap((id) => files.find((file) => file.id === id) ?? []);
  if (found.length === ids.length) return found;
  return attachDocument && !found.some(({ id }) => id === pdfId)
    ? 'no_pdf'
    : 'A file that was to be attached is deleted';
}

const SIZE = 'select coalesce(sum(length(content)), 0)::int as bytes from files where id = any(:ids::uuid[])';
const FILES = `select ${FILE_COLUMNS} from files f where f.id = any(:ids::uuid[])`;

async function mailOf(
  database: Database,
  ctx: Context,
  email: Email,
  content: Content | undefined,
  attachments: readonly StoredFile[],
): Promise<Mail> {
  const company = await loadSettings(database.reader(ctx), 'company');
  const { subject, text, html, unsubscribe }: Content = content ?? { ...email, text: email.text ?? '' };
  return {
    id: email.id,
    senderName: company.name,
    replyTo: company.email,
    to: email.recipients.map(({ address }) => address),
    recipients: email.recipients.filter(({ status }) => status === 'queued').map(({ address }) => address),
    subject,
    text,
    html,
    unsubscribe,
    attachments,
    queuedAt: new Date(email.createdAt),
  };
}
