/**
 * Delivers a queued mail: hands it to the server once and records the answer for each recipient, in the same transaction as the
 * consequences. If that transaction fails after the server's answer, the mail is sent again with the same Message-ID.
 */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Email } from '../../../db/models/messages/mail.ts';
import { findRow } from '../../../db/queries/find.ts';
import { prepared } from '../../../db/sql.ts';
import type { MailStatus } from '../../../domain/messages/mail/kinds.ts';
import { type Answer, applyAnswers, describeFailures, mailStatus } from '../../../domain/messages/mail/recipients.ts';
import { giveUpTime, retryDelay } from '../../../domain/messages/mail/retries.ts';
import { mailRule } from '../../../domain/messages/mail/rules.ts';
import { FILE_COLUMNS, type FileRow, type StoredFile, storedFile } from '../../platform/files/files.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { Content, MailHandlers } from './handlers.ts';
import type { Mail, Mailer } from './mailer.ts';
import { admitMail, type MailPace } from './pacing.ts';
import { notifyResult } from './result-notice.ts';

export interface DeliveryDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly kinds: MailHandlers;
  readonly pace: MailPace;
  /** Read again after the server's answer, which may take minutes. */
  readonly now: () => Date;
}

export type Delivered =
  /** Settled, now or earlier; `gone` if there is no such mail. */
  | { readonly outcome: 'sent' | 'failed' | 'gone' }
  | { readonly outcome: 'later'; readonly seconds: number; readonly reason: string }
  /** The document's PDF was deleted in the meantime and must be rendered again. */
  | { readonly outcome: 'no_pdf' };

/** Maximum bytes attached to a mail. */
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;

/** Tries to deliver a mail once. @param which.pdfId the file of the document's PDF, if the mail carries it */
export async function deliverMail(
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
  if (state.goes === 'later') return await postpone(deps, ctx, email, state);
  if (state.goes === false) return await giveUpMail(deps, ctx, email.id, state.reason, { tells: false });
  const attached = await loadAttachments(database, ctx, email, which.pdfId);
  if (attached === 'no_pdf') return { outcome: 'no_pdf' };
  if (typeof attached === 'string') return await giveUpMail(deps, ctx, email.id, attached);
  const wait = await admitMail(database, ctx, deps.pace, email);
  if (wait !== null) return await postpone(deps, ctx, email, wait);
  const mail = await buildMail(database, ctx, email, state.content, attached);
  const answers = await mailer.send(mail, signal);
  return await recordAnswers(deps, { ...ctx, now: deps.now() }, email.id, answers);
}

/** Marks a queued mail as failed, for the given reason. */
export async function giveUpMail(
  deps: Pick<DeliveryDeps, 'database' | 'kinds'>,
  ctx: Context,
  emailId: string,
  reason: string,
  { tells = true } = {},
): Promise<Delivered> {
  return await deps.database.withTenant(ctx, async (trx) => {
    const email = await lockMail(trx, emailId);
    if (email?.status !== 'queued') return { outcome: email?.status ?? 'gone' };
    const answers = email.recipients.map(({ address }): Answer => ({ address, said: 'refused', reason }));
    const outcome = await settle(trx, ctx, email, { answers, ends: true, tries: email.tries });
    if (tells) await notifyResult(trx, ctx, outcome);
    return { outcome: outcome.status as 'sent' | 'failed' };
  });
}

async function recordAnswers(
  deps: DeliveryDeps,
  ctx: Context,
  emailId: string,
  answers: readonly Answer[],
): Promise<Delivered> {
  return await deps.database.withTenant(ctx, async (trx) => {
    const email = await lockMail(trx, emailId);
    if (email?.status !== 'queued') return { outcome: email?.status ?? 'gone' };
    const tries = email.tries + 1;
    const seconds = retryDelay(tries);
    const ends = Date.parse(email.giveUpAt) <= ctx.now.getTime() + seconds * 1000;
    const after = await settle(trx, ctx, email, { answers, ends, tries });
    const got = answers.filter(({ said }) => said === 'taken').map(({ address }) => address);
    if (email.sentAt === null && got.length > 0) await deps.kinds[email.kind]?.accepted?.(trx, ctx, after, got);
    if (after.status === 'queued') return { outcome: 'later', seconds, reason: after.error ?? '' };
    await notifyResult(trx, ctx, after);
    return { outcome: after.status };
  });
}

async function postpone(
  deps: DeliveryDeps,
  ctx: Context,
  email: Email,
  {
    reason,
    seconds,
    gainsTime = false,
  }: { readonly reason: string; readonly seconds: number; readonly gainsTime?: boolean },
): Promise<Delivered> {
  if (gainsTime) {
    const giveUpAt = giveUpTime(new Date(ctx.now.getTime() + seconds * 1000)).toISOString();
    await deps.database.withTenant(ctx, (trx) => prepared(trx, GAIN_TIME, { id: email.id, giveUpAt }));
    return { outcome: 'later', seconds, reason };
  }
  if (Date.parse(email.giveUpAt) <= ctx.now.getTime()) return await giveUpMail(deps, ctx, email.id, reason);
  return { outcome: 'later', seconds, reason };
}

const GAIN_TIME = `update emails set give_up_at = :giveUpAt::timestamptz
  where id = :id::uuid and status = 'queued' and give_up_at < :giveUpAt::timestamptz`;

/** Locks the mail, so that nobody else records an answer until the transaction ends. */
async function lockMail(trx: Db, id: string): Promise<Email | undefined> {
  return await Email.query(trx).findById(id).forUpdate();
}

/** Writes the outcome for each recipient. No person makes this change, so the audit log records only the request for the mail. */
async function settle(
  trx: Db,
  ctx: Context,
  email: Email,
  { answers, ends, tries }: { readonly answers: readonly Answer[]; readonly ends: boolean; readonly tries: number },
): Promise<Email> {
  const now = ctx.now.toISOString();
  const recipients = applyAnswers(email.recipients, answers, ends);
  const status: MailStatus = mailStatus(recipients);
  const isTaken = recipients.some((recipient) => recipient.status === 'sent');
  const sentAt = email.sentAt ?? (isTaken ? now : null);
  const error = describeFailures(recipients);
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

/** Loads the attachments; `no_pdf` if the document's PDF must be rendered first, another text if the mail cannot be sent. */
async function loadAttachments(
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
  if ((size?.bytes ?? 0) > MAX_ATTACHMENT_BYTES) return 'The attachments of a mail must not exceed 20 MiB';
  const files = (await prepared<FileRow>(reader, FILES, { ids })).map(storedFile);
  const found = ids.flatMap((id) => files.find((file) => file.id === id) ?? []);
  if (found.length === ids.length) return found;
  return attachDocument && !found.some(({ id }) => id === pdfId) ? 'no_pdf' : 'An attached file has been deleted';
}

const SIZE = 'select coalesce(sum(length(content)), 0)::int as bytes from files where id = any(:ids::uuid[])';
const FILES = `select ${FILE_COLUMNS} from files f where f.id = any(:ids::uuid[])`;

async function buildMail(
  database: Database,
  ctx: Context,
  email: Email,
  content: Content | undefined,
  attachments: readonly StoredFile[],
): Promise<Mail> {
  const company = await loadSettings(database.reader(ctx), 'company');
  const rule = mailRule(email.kind);
  const { subject, text, html, unsubscribe }: Content = content ?? { ...email, text: email.text ?? '' };
  return {
    id: email.id,
    ...(rule.sender === 'company'
      ? { senderName: company.name, replyTo: company.email }
      : { senderName: null, replyTo: null }),
    to: email.recipients.filter((one) => one.as === undefined).map(({ address }) => address),
    cc: email.recipients.filter((one) => one.as === 'cc').map(({ address }) => address),
    recipients: email.recipients.filter(({ status }) => status === 'queued').map(({ address }) => address),
    subject,
    text,
    html,
    unsubscribe: rule.unsubscribes ? unsubscribe : undefined,
    attachments,
    queuedAt: new Date(email.createdAt),
  };
}
