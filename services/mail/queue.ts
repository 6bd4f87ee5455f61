/**
 * Queues mails. They go after the commit: the relay starts their delivery, so that requests never wait for a mail server and an accepted
 * mail is never lost.
 */
import type { MailConfig } from '../../config/mail.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Email } from '../../db/models/emails.ts';
import { prepared } from '../../db/sql.ts';
import { insertRow } from '../../db/write.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { EMAIL_DUE } from '../../domain/internal-events.ts';
import { breaksHeader, recipientsIn } from '../../domain/mail/addresses.ts';
import type { EmailKind } from '../../domain/mail/kinds.ts';
import { givenUpAt } from '../../domain/mail/retries.ts';

export type MailLimits = Pick<MailConfig, 'recipientsPerHour'>;

export interface NewMail {
  /** A new one unless given. */
  readonly id?: string;
  readonly kind: EmailKind;
  /** One or several addresses, separated by commas or semicolons. */
  readonly to: string | readonly string[];
  readonly subject: string;
  /** Left out where its kind makes it when the mail goes. */
  readonly text?: string;
  readonly html?: string;
  /** Rows of `files`, read when the mail goes. */
  readonly attachments?: readonly { readonly fileId: string }[];
  readonly documentId?: string;
  /** Whether it carries the document's PDF. */
  readonly attachDocument?: boolean;
  readonly entityId?: string;
  /** When it is too late to send it; some days later unless given. */
  readonly giveUpAt?: Date;
}

const HOUR_MS = 3_600_000;

/**
 * Queues a mail, within the transaction that causes it.
 * @param limits null for mails that have limits of their own
 * @throws ServiceError validation_failed (`/to`, `/subject`), too_many_requests
 */
export async function queueEmail(trx: Db, ctx: Context, limits: MailLimits | null, mail: NewMail): Promise<Email> {
  const { kind, subject, text = null, html = null, documentId = null, entityId = null } = mail;
  const addresses = addressesOf(mail.to);
  if (breaksHeader(subject)) {
    throw invalidMember('/subject', 'format', 'cannot contain line breaks or control characters');
  }
  if (limits !== null) await assertBelowLimit(trx, ctx, limits, addresses.length);
  const id = mail.id ?? newId();
  const values = {
    id,
    kind,
    addressees: addresses.join(', '),
    subject,
    status: 'queued' as const,
    recipients: addresses.map((address) => ({ address, status: 'queued' as const, error: null })),
    text,
    html,
    attachments: (mail.attachments ?? []).map(({ fileId }) => fileId),
    documentId,
    attachDocument: mail.attachDocument ?? false,
    entityId,
    tries: 0,
    giveUpAt: (mail.giveUpAt ?? givenUpAt(ctx.now)).toISOString(),
    createdBy: ctx.userId,
    actor: ctx.actor,
  };
  const payload = mail.attachDocument === true ? { document_id: documentId } : {};
  return await insertRow(trx, ctx, Email, values, [{ name: EMAIL_DUE, payload }]);
}

/** @throws ServiceError validation_failed */
function addressesOf(to: string | readonly string[]): readonly string[] {
  const addresses = recipientsIn(typeof to === 'string' ? to : to.join(','));
  if ('code' in addresses) throw invalidMember('/to', addresses.code, addresses.message);
  return addresses;
}

/** Nobody can use the service to flood others with mails. @throws ServiceError too_many_requests */
async function assertBelowLimit(trx: Db, { now }: Context, limits: MailLimits, more: number): Promise<void> {
  const { recipientsPerHour: most } = limits;
  if (most === 0) return;
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const [sent] = await prepared<{ n: number; first: string | null }>(trx, SENT, { since });
  if ((sent?.n ?? 0) + more <= most) return;
  const free = sent?.first == null ? HOUR_MS : Date.parse(sent.first) + HOUR_MS - now.getTime();
  throw new ServiceError(
    'too_many_requests',
    `The company's mails cannot have more than ${most} recipients within an hour; wait before sending more`,
    { retryAfter: Math.max(1, Math.ceil(free / 1000)) },
  );
}

/** Invitations and daily summaries have limits of their own, and payslips go once a month. */
const SENT = `
  select coalesce(sum(jsonb_array_length(recipients)), 0)::int as n, min(created_at) as first
  from emails where created_at > :since::timestamptz and kind not in ('invitation', 'password_reset', 'summary', 'payslip')`;
